import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Session } from '../../src/kernel/session.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, undefined, undefined, false);
});
afterAll(() => app.close());

/**
 * Terminates all database connections of the app, like a restart of the server. If a statement is given, first waits until the statement is
 * running.
 */
async function terminateConnections(statement?: string): Promise<void> {
  const client = new Client(app.databaseUrl);
  await client.connect();
  const running = `select from pg_stat_activity where datname = current_database() and state = 'active' and query = $1`;
  if (statement) await expect.poll(async () => (await client.query(running, [statement])).rowCount).toBe(1);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

test.each<[string, (sql: Session) => Promise<unknown>]>([
  ['between two statements', (sql) => terminateConnections().then(() => sql.rows('select 1'))],
  ['during a statement', (sql) => Promise.all([sql.rows('select pg_sleep(60)'), terminateConnections('select pg_sleep(60)')])],
  ['before the commit', () => terminateConnections()],
])(
  'connections that are terminated %s return to the pool, even if more transactions fail than the pool has connections',
  async (_, work) => {
    for (let attempt = 1; attempt <= 6; attempt++) {
      const sql = new Session(app.resources.pools, 'write');
      await expect(
        sql.transaction(async () => {
          await sql.rows('select 1');
          await work(sql);
        }),
      ).rejects.toThrow('the database cannot be reached');
    }
    const [opened] = app.resources.pools.openPools();
    await expect
      .poll(() => ({
        busy: (opened?.pool.totalCount ?? 0) - (opened?.pool.idleCount ?? 0),
        waiting: opened?.pool.waitingCount,
      }))
      .toEqual({ busy: 0, waiting: 0 });
    expect(await app.sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
  },
  60_000,
);
