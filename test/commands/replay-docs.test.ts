import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordUsage } from '../../src/commands/record-options.js';
import { replayUsage } from '../../src/commands/replay/options.js';
import { comparedHeaders } from '../../src/comparison/compare-answers.js';
import { variables } from '../../src/config.js';

const page = readFileSync('docs/replay.md', 'utf8');

test('docs/replay.md names every option, the headers that are compared, and nothing that is not there', () => {
  const options = [...`${recordUsage} ${replayUsage}`.matchAll(/--[a-z]+/g)].map(([option]) => option);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const settings = new Set(variables.map(({ name }) => name));
  expect({
    options: [...new Set(options)].filter((option) => !page.includes(option)),
    unknown: [...page.matchAll(/--[a-z]+/g)].map(([option]) => option).filter((option) => !options.includes(option)),
    headers: comparedHeaders.filter((name) => !page.includes(`\`${name}\``)),
    scripts: [...page.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name).filter((name) => !(name in scripts)),
    settings: [...page.matchAll(/\b(?:SHADOW|LEGACY|METRICS)_[A-Z]+/g)]
      .map(([name]) => name)
      .filter((name) => !settings.has(name)),
    files: [...page.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path).filter((path) => !existsSync(path)),
  }).toEqual({ options: [], unknown: [], headers: [], scripts: [], settings: [], files: [] });
});
