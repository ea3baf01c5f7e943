import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Session } from '../../src/kernel/session.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, undefined, undefined, false);
});
afterAll(() => app.close());

/** Ends every connection of the app to its database, as a restart of the server does. */
async function cut(): Promise<void> {
  const client = new Client(app.databaseUrl);
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

test.each<[string, (sql: Session) => Promise<unknown>]>([
  ['between two statements', (sql) => cut().then(() => sql.rows('select 1'))],
  ['in a statement', (sql) => Promise.all([sql.rows('select pg_sleep(5)'), sleep(100).then(cut)])],
  ['before its end', cut],
])(
  'transactions whose connections are cut %s leave the pool whole, also when they are more than that has',
  async (_, work) => {
    for (let nth = 1; nth <= 6; nth++) {
      const sql = new Session(app.resources.pools, 'write');
      await expect(
        sql.transaction(async () => {
          await sql.rows('select 1');
          await work(sql);
        }),
      ).rejects.toThrow('the database cannot be reached');
    }
    const [opened] = app.resources.pools.opened();
    await expect
      .poll(() => [(opened?.pool.totalCount ?? 0) - (opened?.pool.idleCount ?? 0), opened?.pool.waitingCount])
      .toEqual([0, 0]);
    expect(await app.sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
  },
  60_000,
);
