import { afterAll, beforeAll, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: routerHeaders['router-secret'], SUBGRAPHS: 'reference,tournaments' });
});
afterAll(() => app.close());

const cacheable = 'max-age=3600, public';

test.each([
  {
    content: 'reference data',
    module: 'reference',
    query: '{ countries(first: 2) { totalCount pageInfo { endCursor } nodes { id title } edges { node { id } } } }',
    cacheControl: cacheable,
  },
  {
    content: 'one record of reference data with its relations',
    module: 'reference',
    query: '{ country(id: "US") { title states { nodes { code } } } }',
    cacheControl: cacheable,
  },
  {
    content: 'reference data that can change between releases',
    module: 'reference',
    query: '{ roles { nodes { id } } }',
    cacheControl: 'no-store',
  },
  {
    content: 'cacheable and other reference data',
    module: 'reference',
    query: '{ countries { totalCount } roles { totalCount } }',
    cacheControl: 'no-store',
  },
  {
    content: 'an invalid query',
    module: 'reference',
    query: '{ country(id: "none") { nothing } }',
    cacheControl: 'no-store',
    hasData: false,
  },
  {
    content: 'an entity',
    module: 'reference',
    query: '{ _entities(representations: [{ __typename: "Country", id: "US" }]) { ... on Country { title } } }',
    cacheControl: 'no-store',
  },
  {
    content: 'records',
    module: 'tournaments',
    query: '{ tournaments { pageInfo { endCursor } nodes { id } } }',
    cacheControl: 'no-store',
  },
])('the response to $content has Cache-Control $cacheControl', async ({ module, query, cacheControl, hasData = true }) => {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...routerHeaders, 'pb-api-token': app.platform.platform },
    body: JSON.stringify({ query }),
  });
  const { data } = await response.json();
  expect({ cacheControl: response.headers.get('cache-control'), hasData: data !== undefined }).toEqual({ cacheControl, hasData });
});

test('the response to an unknown token is not cacheable', async () => {
  const response = await fetch(`${app.origin}/subgraphs/reference`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...routerHeaders, 'pb-api-token': 'unknown' },
    body: JSON.stringify({ query: '{ countries { totalCount } }' }),
  });
  const { errors } = await response.json();
  expect({ code: errors[0].extensions.code, cacheControl: response.headers.get('cache-control') }).toEqual({
    code: 'UNAUTHENTICATED',
    cacheControl: 'no-store',
  });
});
