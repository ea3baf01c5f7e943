import { afterAll, beforeAll, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const count = JSON.stringify({ query: '{ leagues { totalCount } }' });

const answers: [string, string, RequestInit, number][] = [
  ['/graphql', '/graphql', { method: 'POST', headers: json, body: count }, 200],
  ['a refused document', '/graphql', { method: 'POST', headers: json, body: '{"query":"{"}' }, 400],
  ['a body that is none', '/graphql', { method: 'POST', headers: json, body: '{' }, 400],
  ['the explorer', '/graphql', { headers: { accept: 'text/html' } }, 200],
  ['a subgraph', '/subgraphs/leagues', { method: 'POST', headers: { ...json, ...asRouter }, body: count }, 200],
  [
    'a subgraph of a document that is too much',
    '/subgraphs/leagues',
    {
      method: 'POST',
      headers: { ...json, ...asRouter },
      body: JSON.stringify({ query: `{ ${'leagues { totalCount }'.repeat(400)} }` }),
    },
    400,
  ],
  ['the gate of subgraphs', '/subgraphs/leagues', { method: 'POST', headers: json, body: count }, 401],
  ['/v1', '/v1/data/teams', {}, 401],
  ['a path of /v1 that there is not', '/v1/nothing', {}, 404],
  ['a page', '/verify/some-value', {}, 400],
  [
    'a preflight',
    '/graphql',
    { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } },
    204,
  ],
  ['the state of health', '/health', {}, 200],
  ['the start page', '/', {}, 200],
  ['a path that there is not', '/nothing', {}, 404],
];

test.each(answers)('an answer has the number of its request: %s', async (_, path, init, status) => {
  const ask = async () => {
    const response = await fetch(app.origin + path, init);
    const text = await response.text();
    const { RequestId } = text.startsWith('{') ? JSON.parse(text) : {};
    const id = Number(response.headers.get('x-request-id'));
    expect(RequestId ?? id).toBe(id);
    return [response.status, id] as const;
  };
  const [[first, one], [second, other]] = [await ask(), await ask()];
  expect([first, second, other > one && one > 0]).toEqual([status, status, true]);
});
