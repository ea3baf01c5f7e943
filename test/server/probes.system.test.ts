import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { startService } from '../support/servers/service-process.js';

vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const probe = async (path: string, origin = app.origin) => {
  const response = await fetch(origin + path);
  return { status: response.status, body: await response.json() };
};
const up = { status: 200, body: { status: 'up' } };
const down = (reason: string) => ({ status: 503, body: { status: 'down', reason } });

/** Polls, because the service caches the result of a probe for a moment. */
const becomes = (path: string, result: object) => expect.poll(() => probe(path)).toEqual(result);

test('every probe of a process with its database is up', async () => {
  const live = await probe('/livez');
  const health = await probe('/health');
  const ready = await probe('/readyz');
  expect({ live, health, ready }).toEqual({ live: up, health: up, ready: up });
});

test('a process is not ready while migrations of its release are missing', async () => {
  const last = migrations.at(-1)?.name;
  await app.sql.rows('update executed_migration set name = $1 where name = $2', ['other', last]);
  await becomes('/readyz', down(`the database lacks migrations: ${last}`));
  await app.sql.rows('update executed_migration set name = $2 where name = $1', ['other', last]);
  await becomes('/readyz', up);
});

test('a process without its database is alive, but not ready', async () => {
  const operator = new Client({ connectionString: inject('postgres') });
  await operator.connect();
  const name = new URL(app.databaseUrl).pathname.slice(1);
  const allowConnections = (isAllowed: boolean) => operator.query(`alter database ${name} allow_connections ${isAllowed}`);
  await allowConnections(false);
  await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await becomes('/readyz', down('the database cannot be reached'));
  expect(await probe('/livez')).toEqual(up);
  await allowConnections(true);
  await operator.end();
  await becomes('/readyz', up);
});

test('a process that drains after SIGTERM is not ready, serves for DRAIN_DELAY, closes connections and exits', async () => {
  const { origin, signal, exit } = await startService({ DATABASE_URL: app.databaseUrl, SUBGRAPHS: 'none', DRAIN_DELAY: '1' });
  expect(await probe('/readyz', origin)).toEqual(up);
  const signaledAt = Date.now();
  signal('SIGTERM');
  await expect.poll(() => probe('/readyz', origin), { interval: 10 }).toEqual(down('draining'));
  const { status, headers } = await fetch(`${origin}/graphql?query={__typename}`);
  expect({ status, connection: headers.get('connection'), exitCode: await exit }).toEqual({
    status: 200,
    connection: 'close',
    exitCode: 0,
  });
  expect(Date.now() - signaledAt).toBeGreaterThanOrEqual(1_000);
});
