import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { announcing } from '../../compat/engine/reply/announce.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { pageOf } from '../support/pages.js';

const page = pageOf('docs/usage.md');

test('the operations of the page on usage fit the graph', () => {
  const documents = [...page.matchAll(/```graphql\n([^`]+)```/g)].map(([, text = '']) => parse(text));
  expect([
    documents.length,
    documents.flatMap((document) => validate(graphOfModules(), document).map(({ message }) => message)),
  ]).toEqual([2, []]);
});

test('the page has the headers of what it announces', () => {
  const [, day = '', end = '', begin = ''] =
    /deprecatedAt: "([^"]+)", sunsetAt: "([^"]+)",\s+rehearsalBeginsAt: "([^"]+)"/.exec(page) ?? [];
  const beginsAt = Date.parse(begin);
  const { Link: _, ...headers } = announcing(
    {
      deprecatedAt: Date.parse(day),
      sunsetAt: Date.parse(end),
      text: '',
      link: null,
      rehearsal: { beginsAt, endsAt: beginsAt + 3_600_000 },
    },
    null,
    0,
  );
  const rows = Object.entries(headers).map(([name, value]) => `| \`${name}\` | \`${String(value)}\``);
  expect([rows.length, rows.filter((row) => !page.includes(row))]).toEqual([3, []]);
});
