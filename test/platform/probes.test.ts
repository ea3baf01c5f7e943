import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { startService } from '../support/service.js';

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

/** Answers of a moment ago are given again. */
const becomes = (path: string, answer: object) => expect.poll(() => probe(path)).toEqual(answer);

test('a process is alive, and ready with its database', async () => {
  expect([await probe('/livez'), await probe('/health'), await probe('/readyz')]).toEqual([up, up, up]);
});

test('it is not ready before the migrations of its release are done', async () => {
  const last = migrations.at(-1)?.name;
  await app.sql.rows('update mikro_orm_migrations set name = $1 where name = $2', ['other', last]);
  await becomes('/readyz', down(`the database lacks migrations: ${last}`));
  await app.sql.rows('update mikro_orm_migrations set name = $2 where name = $1', ['other', last]);
  await becomes('/readyz', up);
});

test('while its database is away it is alive, but not ready', async () => {
  const operator = new Client({ connectionString: inject('postgres') });
  await operator.connect();
  const name = new URL(app.databaseUrl).pathname.slice(1);
  const open = (isOpen: boolean) => operator.query(`alter database ${name} allow_connections ${isOpen}`);
  await open(false);
  await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await becomes('/readyz', down('the database cannot be reached'));
  expect(await probe('/livez')).toEqual(up);
  await open(true);
  await operator.end();
  await becomes('/readyz', up);
});

test('after SIGTERM it is not ready, but serves for the delay, over connections that end, and then ends itself', async () => {
  const { origin, signal, ended } = await startService({ DATABASE_URL: app.databaseUrl, SUBGRAPHS: 'none', DRAIN_DELAY: '1' });
  const ready = await probe('/readyz', origin);
  const since = Date.now();
  signal('SIGTERM');
  await expect.poll(() => probe('/readyz', origin), { interval: 10 }).toEqual(down('draining'));
  const served = await fetch(`${origin}/graphql?query={__typename}`);
  expect([ready, served.status, served.headers.get('connection'), await ended]).toEqual([up, 200, 'close', 0]);
  expect(Date.now() - since).toBeGreaterThanOrEqual(1_000);
});
