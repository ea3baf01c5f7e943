import { expect, test } from 'vitest';
import type { Engine, StartEngine } from '../../src/commands/gateway/engine.js';
import { engineNames, startFirst } from '../../src/commands/gateway/engines.js';
import { supergraphOptions } from '../../src/commands/supergraph-options.js';
import { modules } from '../../src/modules/index.js';

const engine: Engine = { execute: async () => ({ data: {} }), stop: async () => undefined };
const there = async (): Promise<StartEngine> => async () => engine;
/** As an import of a package fails that a production install leaves out. */
const leftOut = async (): Promise<StartEngine> => import(/* @vite-ignore */ ['@graphql-hive', 'not-installed'].join('/'));
/** As a package with a native part fails on a platform that has none. */
const notBuilt = async (): Promise<StartEngine> => async () => {
  throw new Error('Cannot find native binding.');
};

const start = async (...candidates: (readonly [string, () => Promise<StartEngine>])[]) => {
  const told: string[] = [];
  const { name } = await startFirst(candidates, '', { secret: '', timeout: 1 }, (sentence) => told.push(sentence));
  return [name, told];
};

test('the command line says which engine, and the first one is it where it does not', () => {
  const engines = [[], ...engineNames.map((name) => ['--engine', name])].map((args) => supergraphOptions(args).engine);
  expect(engines).toEqual(['hive', ...engineNames]);
});

test.each([
  ['--engine', 'cosmo'],
  ['--motor', 'hive'],
  ['--engine', 'hive', 'apollo'],
  ['--engine', 'constructor'],
  ['--processes', '0'],
  ['--processes', String(modules.length + 1)],
])('%s %s is answered with what may be said', (...args) => {
  expect(() => supergraphOptions(args)).toThrow(
    `npm run supergraph -- --engine hive | apollo | hive-js --processes 1…${modules.length}`,
  );
});

test('the next engine stands in for one that is not there, and a line says so', async () => {
  expect(await start(['hive', notBuilt], ['hive-js', leftOut], ['apollo', there])).toEqual([
    'apollo',
    [
      'The engine hive is not installed or not built for this platform.',
      'The engine hive-js is not installed or not built for this platform.',
    ],
  ]);
});

test('without any it says what to do', async () => {
  await expect(start(['hive', leftOut])).rejects.toThrow(/development dependencies.*npm install/);
});

test('what is wrong with an engine that is there is no reason to take another', async () => {
  const failing = async (): Promise<StartEngine> => async () => {
    throw new Error('the supergraph is none');
  };
  await expect(start(['hive', failing], ['apollo', there])).rejects.toThrow('the supergraph is none');
});
