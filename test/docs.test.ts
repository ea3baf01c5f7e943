import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allPages } from './support/pages.js';

const page = readFileSync('docs/decisions.md', 'utf8');
const headings = new Set([...page.matchAll(/^### (Section|Decision) (\S+)$/gm)].map(([, kind, number]) => `${kind} ${number}`));

const textsUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** The numbers of a phrase such as `2.5, 2.8 to 2.10 and 3`, those of a range one by one. */
function numbersIn(phrase: string): string[] {
  const named = phrase.match(/\d+a?(?:\.\d+)?/g) ?? [];
  const between = [...phrase.matchAll(/(\d+\.)?(\d+) to (?:\d+\.)?(\d+)/g)].flatMap(([, chapter = '', from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, step) => `${chapter}${Number(from) + step}`),
  );
  return [...named, ...between];
}

const number = String.raw`\d+a?(?:\.\d+)?`;
const citation = new RegExp(String.raw`\b(section|decision)s?\s+(${number}(?:(?:,| and| or| to)+ ${number})*)`, 'gi');

/** `Section 2.7`, `Decision 32`, …: what a text cites. Comments break lines, so that their asterisks and slashes go first. */
const citedIn = (text: string): string[] =>
  [...text.replace(/\n\s*(\*|\/\/)/g, ' ').matchAll(citation)].flatMap(([, kind = '', phrase = '']) =>
    numbersIn(phrase).map((found) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()} ${found}`),
  );

test('every section and decision that is cited has its heading in docs/decisions.md', () => {
  const texts = [...['src', 'compat', 'test', 'migrations'].flatMap(textsUnder), allPages];
  const cited = new Set([...texts, page].flatMap(citedIn));
  expect(cited.size).toBeGreaterThan(50);
  expect([...cited].filter((name) => !headings.has(name)).sort()).toEqual([]);
});

test('all 51 decisions are there, once each and in their order', () => {
  const numbers = Array.from({ length: 51 }, (_, index) => String(index + 1));
  numbers.splice(12, 0, '12a');
  expect([...page.matchAll(/^### Decision (\S+)$/gm)].map(([, found]) => found)).toEqual(numbers);
});

test('the files that docs/decisions.md names are there', () => {
  const named = [...page.matchAll(/`((?:src|compat)\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('the descriptions of the graph cite no section and no decision', () => {
  const lines = readdirSync('schema').flatMap((name) => readFileSync(join('schema', name), 'utf8').split('\n'));
  expect(lines.filter((line) => /(section|decision)s? \d|interface document/i.test(line))).toEqual([]);
});
