import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
let logging: Process;
const logLines: string[] = [];
beforeAll(async () => {
  app = await startApp();
  logging = await secondProcess(app, pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) }));
  await app.sql.rows('alter table league rename column member_fee to was');
});
afterAll(async () => {
  await logging.close();
  await app.close();
});

const headers = { 'PB-API-TOKEN': '', 'content-type': 'application/json' };
const requests: [string, () => [path: string, init: RequestInit]][] = [
  [
    'an interpreted GraphQL operation',
    () => ['/graphql', { method: 'POST', body: '{"query":"{ leagues { nodes { memberFee } } }"}' }],
  ],
  [
    'a compiled GraphQL operation',
    () => ['/graphql', { method: 'POST', body: '{"query":"{ leagues { nodes { memberFee } } }"}' }],
  ],
  [
    'a mutation with an Idempotency-Key',
    () => [
      '/graphql',
      {
        method: 'POST',
        headers: { 'idempotency-key': 'x' },
        body: '{"query":"mutation { createLeague(input: { id: \\"one\\" }) { memberFee } }"}',
      },
    ],
  ],
  ['a /v1 request', () => ['/v1/data/leagues/some-league', {}]],
];

test.each(requests)('log entries of %s have the request ID of the response and no token', async (_, requestOf) => {
  logLines.length = 0;
  const [path, init] = requestOf();
  const response = await fetch(logging.origin + path, {
    ...init,
    headers: { ...headers, 'PB-API-TOKEN': app.platform.platform, ...(init.headers as object) },
  });
  const id = Number(response.headers.get('x-request-id'));
  expect(await response.text()).toMatch(/internal error/i);
  const entries = logLines.map((line) => JSON.parse(line));
  expect(entries.map(({ requestId }) => requestId)).toEqual(entries.map(() => id));
  expect(entries.length).toBeGreaterThan(0);
  expect(logLines.join('')).not.toContain(app.platform.platform);
});
