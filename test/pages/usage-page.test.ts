import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { deprecationHeaders } from '../../compat/engine/reply/deprecation.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { pageOf } from '../support/fixtures/documentation.js';

const page = pageOf('docs/usage.md');

test('the operations on the usage page are valid against the graph', () => {
  const documents = [...page.matchAll(/```graphql\n([^`]+)```/g)].map(([, text = '']) => parse(text));
  const errors = documents.flatMap((document) => validate(graphOfModules(), document).map(({ message }) => message));
  expect({ documentCount: documents.length, errors }).toEqual({ documentCount: 2, errors: [] });
});

test('the usage page shows the headers that its deprecation produces', () => {
  const [, deprecatedAt = '', sunsetAt = '', rehearsalBeginsAt = ''] =
    /deprecatedAt: "([^"]+)", sunsetAt: "([^"]+)",\s+rehearsalBeginsAt: "([^"]+)"/.exec(page) ?? [];
  const beginsAt = Date.parse(rehearsalBeginsAt);
  const { Link: _, ...headers } = deprecationHeaders(
    {
      deprecatedAt: Date.parse(deprecatedAt),
      sunsetAt: Date.parse(sunsetAt),
      text: '',
      link: null,
      rehearsal: { beginsAt, endsAt: beginsAt + 3_600_000 },
    },
    null,
    0,
  );
  const rows = Object.entries(headers).map(([name, value]) => `| \`${name}\` | \`${String(value)}\``);
  const missingRows = rows.filter((row) => !page.includes(row));
  expect({ rowCount: rows.length, missingRows }).toEqual({ rowCount: 3, missingRows: [] });
});
