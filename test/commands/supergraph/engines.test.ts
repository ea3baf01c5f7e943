import { expect, test } from 'vitest';
import type { Engine, StartEngine } from '../../../src/commands/supergraph/gateway/engine.js';
import { engineNames, startFirstEngine } from '../../../src/commands/supergraph/gateway/engines.js';
import { loadTestTool } from '../../../src/commands/supergraph/gateway/test-tools.js';
import { supergraphOptions } from '../../../src/commands/supergraph/options.js';
import { modules } from '../../../src/modules/index.js';
import { UsageError } from '../../../src/process/command.js';

const engine: Engine = { execute: async () => ({ data: {} }), stop: async () => undefined };
const available = async (): Promise<StartEngine> => async () => engine;
/** Fails like the import of a package that a production install omits. */
const notInstalledMessage = async (): Promise<StartEngine> =>
  import(/* @vite-ignore */ ['@graphql-hive', 'not-installed'].join('/'));
/** Fails like a native package on a platform without a build. */
const notBuilt = async (): Promise<StartEngine> => async () => {
  throw new Error('Cannot find native binding.');
};

const start = async (...candidates: (readonly [string, () => Promise<StartEngine>])[]) => {
  const messages: string[] = [];
  const { name } = await startFirstEngine(candidates, '', { secret: '', timeout: 1 }, (message) => messages.push(message));
  return { name, messages };
};

test('the default engine is hive', () => {
  expect(supergraphOptions([]).engine).toBe('hive');
});

test.each(engineNames)('--engine %s selects that engine', (name) => {
  expect(supergraphOptions(['--engine', name]).engine).toBe(name);
});

test.each([
  ['--engine', 'cosmo'],
  ['--motor', 'hive'],
  ['--engine', 'hive', 'apollo'],
  ['--engine', 'constructor'],
  ['--processes', '0'],
  ['--processes', String(modules.length + 1)],
])('rejects %s %s', (...args) => {
  expect(() => supergraphOptions(args)).toThrow(UsageError);
});

test('the next engine replaces an unavailable one, with a message', async () => {
  expect(await start(['hive', notBuilt], ['hive-js', notInstalledMessage], ['apollo', available])).toEqual({
    name: 'apollo',
    messages: [
      'The engine hive is not installed or not built for this platform.',
      'The engine hive-js is not installed or not built for this platform.',
    ],
  });
});

test('if an engine needs a package of test/tools, the message says how to install the package', async () => {
  const notInTestTools = async (): Promise<StartEngine> => async () => {
    loadTestTool('@apollo/not-installed');
    return engine;
  };
  expect(await start(['apollo', notInTestTools], ['hive-js', available])).toEqual({
    name: 'hive-js',
    messages: ['The engine apollo is not installed. To install it, run "npm ci --prefix test/tools".'],
  });
});

test('if no engine is available, the error says how to install one', async () => {
  await expect(start(['hive', notInstalledMessage])).rejects.toThrow(/development dependencies.*npm install/);
});

test('an available engine that fails is not replaced', async () => {
  const failing = async (): Promise<StartEngine> => async () => {
    throw new Error('the supergraph is none');
  };
  await expect(start(['hive', failing], ['apollo', available])).rejects.toThrow('the supergraph is none');
});
