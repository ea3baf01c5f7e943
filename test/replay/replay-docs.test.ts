import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../../src/config/index.js';
import { comparedHeaders } from '../../src/replay/comparison/compare-responses.js';
import { recordUsage } from '../../src/replay/recording/options.js';
import { replayUsage } from '../../src/replay/run/options.js';

const page = readFileSync('docs/replay.md', 'utf8');

const options = [...`${recordUsage} ${replayUsage}`.matchAll(/--[a-z]+/g)]
  .map(([option]) => option)
  .filter((option) => option !== '--help');

test('docs/replay.md names every option and every compared header', () => {
  expect({
    missingOptions: [...new Set(options)].filter((option) => !page.includes(option)),
    missingHeaders: comparedHeaders.filter((name) => !page.includes(`\`${name}\``)),
  }).toEqual({ missingOptions: [], missingHeaders: [] });
});

test('every option, script, variable and file that docs/replay.md names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const variableNames = new Set(variables.map(({ name }) => name));
  expect({
    unknownOptions: [...page.matchAll(/--[a-z]+/g)].map(([option]) => option).filter((option) => !options.includes(option)),
    unknownScripts: [...page.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name).filter((name) => !(name in scripts)),
    unknownVariables: [...page.matchAll(/\b(?:SHADOW|LEGACY|METRICS)_[A-Z]+/g)]
      .map(([name]) => name)
      .filter((name) => !variableNames.has(name)),
    unknownFiles: [...page.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path).filter((path) => !existsSync(path)),
  }).toEqual({ unknownOptions: [], unknownScripts: [], unknownVariables: [], unknownFiles: [] });
});
