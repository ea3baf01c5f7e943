import { afterAll, beforeAll, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: asRouter['router-secret'], SUBGRAPHS: 'reference,tournaments' });
});
afterAll(() => app.close());

const kept = 'max-age=3600, public';

test.each([
  [
    'reference data',
    'reference',
    '{ countries(first: 2) { totalCount pageInfo { endCursor } nodes { id title } edges { node { id } } } }',
    kept,
  ],
  ['one of it, with what it leads to', 'reference', '{ country(id: "US") { title states { nodes { code } } } }', kept],
  ['reference data that a release does not fix', 'reference', '{ roles { nodes { id } } }', 'no-store'],
  ['reference data beside something else', 'reference', '{ countries { totalCount } roles { totalCount } }', 'no-store'],
  ['what is not valid', 'reference', '{ country(id: "none") { nothing } }', 'no-store'],
  [
    'an entity',
    'reference',
    '{ _entities(representations: [{ __typename: "Country", id: "US" }]) { ... on Country { title } } }',
    'no-store',
  ],
  ['records', 'tournaments', '{ tournaments { pageInfo { endCursor } nodes { id } } }', 'no-store'],
])('%s: %s answers with the time for which caches may keep it', async (_, module, query, expected) => {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asRouter, 'pb-api-token': app.platform.platform },
    body: JSON.stringify({ query }),
  });
  const { data } = await response.json();
  expect([response.headers.get('cache-control'), data !== undefined]).toEqual([expected, !query.includes('nothing')]);
});

test('a token that is no good gets nothing that may be kept', async () => {
  const response = await fetch(`${app.origin}/subgraphs/reference`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asRouter, 'pb-api-token': 'unknown' },
    body: JSON.stringify({ query: '{ countries { totalCount } }' }),
  });
  const { errors } = await response.json();
  expect([errors[0].extensions.code, response.headers.get('cache-control')]).toEqual(['UNAUTHENTICATED', 'no-store']);
});
