import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
let logging: Process;
const logged: string[] = [];
beforeAll(async () => {
  app = await startApp();
  logging = await secondProcess(app, pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }));
  await app.sql.rows('alter table league rename column member_fee to was');
});
afterAll(async () => {
  await logging.close();
  await app.close();
});

const headers = { 'PB-API-TOKEN': '', 'content-type': 'application/json' };
const asks: [string, () => [path: string, init: RequestInit]][] = [
  [
    'GraphQL that is interpreted',
    () => ['/graphql', { method: 'POST', body: '{"query":"{ leagues { nodes { memberFee } } }"}' }],
  ],
  ['the same, compiled', () => ['/graphql', { method: 'POST', body: '{"query":"{ leagues { nodes { memberFee } } }"}' }]],
  [
    'GraphQL that is kept for retries',
    () => [
      '/graphql',
      {
        method: 'POST',
        headers: { 'idempotency-key': 'x' },
        body: '{"query":"mutation { createLeague(input: { id: \\"one\\" }) { memberFee } }"}',
      },
    ],
  ],
  ['/v1', () => ['/v1/data/leagues/some-league', {}]],
];

test.each(asks)('what is logged of %s has the number that the answer has', async (_, ask) => {
  logged.length = 0;
  const [path, init] = ask();
  const response = await fetch(logging.origin + path, {
    ...init,
    headers: { ...headers, 'PB-API-TOKEN': app.platform.platform, ...(init.headers as object) },
  });
  const id = Number(response.headers.get('x-request-id'));
  expect(await response.text()).toMatch(/internal error/i);
  const lines = logged.map((line) => JSON.parse(line));
  expect(lines.map(({ requestId }) => requestId)).toEqual(lines.map(() => id));
  expect(lines.length).toBeGreaterThan(0);
  expect(logged.join('')).not.toContain(app.platform.platform);
});
