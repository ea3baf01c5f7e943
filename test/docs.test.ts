import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isExecutableDefinitionNode, Kind, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import { allPages } from './support/fixtures/documentation.js';

const page = readFileSync('docs/decisions.md', 'utf8');
const headings = new Set([...page.matchAll(/^### (Section|Decision) (\S+)$/gm)].map(([, kind, number]) => `${kind} ${number}`));

const textsUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** Returns all numbers in a phrase such as `2.5, 2.8 to 2.10 and 3`, with ranges expanded. */
function numbersIn(phrase: string): string[] {
  const explicit = phrase.match(/\d+a?(?:\.\d+)?/g) ?? [];
  const inRanges = [...phrase.matchAll(/(\d+\.)?(\d+) to (?:\d+\.)?(\d+)/g)].flatMap(([, chapter = '', from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, step) => `${chapter}${Number(from) + step}`),
  );
  return [...explicit, ...inRanges];
}

const number = String.raw`\d+a?(?:\.\d+)?`;
const citation = new RegExp(String.raw`\b(section|decision)s?\s+(${number}(?:(?:,| and| or| to)+ ${number})*)`, 'gi');

/**
 * Returns citations such as `Section 2.7` and `Decision 32`. Comment markers are removed first, because a citation may continue on the next
 * line.
 */
const citationsIn = (text: string): string[] =>
  [...text.replace(/\n\s*(\*|\/\/)/g, ' ').matchAll(citation)].flatMap(([, kind = '', phrase = '']) =>
    numbersIn(phrase).map((each) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()} ${each}`),
  );

test('every cited section and decision has a heading in docs/decisions.md', () => {
  const texts = [...['src', 'compat', 'test', 'migrations'].flatMap(textsUnder), allPages];
  const citations = new Set([...texts, page].flatMap(citationsIn));
  expect(citations.size).toBeGreaterThan(50);
  expect([...citations].filter((citation) => !headings.has(citation)).sort()).toEqual([]);
});

test('docs/decisions.md has each decision once, in order', () => {
  const decisions = [...page.matchAll(/^### Decision (\S+)$/gm)].map(([, decision = '']) => decision);
  const settledFirst = Array.from({ length: 51 }, (_, index) => String(index + 1));
  const ordered = [...new Set(decisions)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect({ decisions, missing: settledFirst.filter((number) => !decisions.includes(number)) }).toEqual({
    decisions: ordered,
    missing: [],
  });
});

test('all files named in the documentation exist', () => {
  const paths = [...allPages.matchAll(/`((?:src|compat|test|docs)\/[^`\s{}<>*]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('descriptions in the schema cite no section and no decision', () => {
  const lines = readdirSync('schema').flatMap((name) => readFileSync(join('schema', name), 'utf8').split('\n'));
  expect(lines.filter((line) => /(section|decision)s? \d|interface document/i.test(line))).toEqual([]);
});

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

/** Returns the operations in the text of a page that do not match the schema, with their first error. Each operation can be sent separately. */
const invalidOperationsIn = (text: string): string[] =>
  [...text.matchAll(/^( *)```graphql\n(.*?)^\1```$/gms)].flatMap(([, , block = '']) =>
    parse(block).definitions.flatMap((definition) => {
      const [error] = isExecutableDefinitionNode(definition)
        ? validate(schema, { kind: Kind.DOCUMENT, definitions: [definition] })
        : [];
      return error ? [`${print(definition)}: ${error.message}`] : [];
    }),
  );

test('all GraphQL operations in the documentation match the schema', () => {
  expect([...allPages.matchAll(/```graphql$/gm)].length).toBeGreaterThan(5);
  expect(invalidOperationsIn(allPages)).toEqual([]);
});

test('each table row in the documentation is on one line', () => {
  const rows = allPages.split('\n').filter((line) => /^\s*\|/.test(line));
  expect(rows.filter((row) => !row.endsWith('|'))).toEqual([]);
});
