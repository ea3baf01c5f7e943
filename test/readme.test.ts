import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../src/config.js';

const readme = readFileSync('README.md', 'utf8');
const rows = variables.map(
  ({ name, fallback, description }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
);

test('the README lists every variable with its default and what it is for', () => {
  expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
});

test('the README names no script that is not there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
