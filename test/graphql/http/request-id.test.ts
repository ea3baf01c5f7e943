import { afterAll, beforeAll, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const count = JSON.stringify({ query: '{ leagues { totalCount } }' });

const requests: [string, string, RequestInit, number][] = [
  ['/graphql', '/graphql', { method: 'POST', headers: json, body: count }, 200],
  ['an invalid document', '/graphql', { method: 'POST', headers: json, body: '{"query":"{"}' }, 400],
  ['an invalid body', '/graphql', { method: 'POST', headers: json, body: '{' }, 400],
  ['the explorer', '/graphql', { headers: { accept: 'text/html' } }, 200],
  ['a subgraph', '/subgraphs/leagues', { method: 'POST', headers: { ...json, ...routerHeaders }, body: count }, 200],
  [
    'a subgraph with a document above the limits',
    '/subgraphs/leagues',
    {
      method: 'POST',
      headers: { ...json, ...routerHeaders },
      body: JSON.stringify({ query: `{ ${'leagues { totalCount }'.repeat(400)} }` }),
    },
    400,
  ],
  ['a subgraph without the router secret', '/subgraphs/leagues', { method: 'POST', headers: json, body: count }, 401],
  ['/v1', '/v1/data/teams', {}, 401],
  ['an unknown /v1 path', '/v1/nothing', {}, 404],
  ['a page', '/verify/some-value', {}, 400],
  [
    'a preflight',
    '/graphql',
    { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } },
    204,
  ],
  ['the health check', '/health', {}, 200],
  ['the start page', '/', {}, 200],
  ['an unknown path', '/nothing', {}, 404],
];

test.each(requests)('a response has an increasing request ID: %s', async (_, path, init, status) => {
  const send = async () => {
    const response = await fetch(app.origin + path, init);
    const text = await response.text();
    const { RequestId } = text.startsWith('{') ? JSON.parse(text) : {};
    const id = Number(response.headers.get('x-request-id'));
    expect(RequestId ?? id).toBe(id);
    return { status: response.status, id };
  };
  const [first, second] = [await send(), await send()];
  expect({ first: first.status, second: second.status }).toEqual({ first: status, second: status });
  expect(first.id).toBeGreaterThan(0);
  expect(second.id).toBeGreaterThan(first.id);
});
