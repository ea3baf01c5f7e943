import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOrm } from '../../../src/database/orm.js';
import { ChangeLog, type Watch, type WatchEvent } from '../../../src/kernel/changes/index.js';
import { deleteOldChanges, readLogIdentity } from '../../../src/kernel/changes/log-sql.js';
import { connectionOptions } from '../../../src/kernel/primary-host.js';
import { Pools } from '../../../src/kernel/session.js';
import { startDatabaseProxy } from '../../support/servers/database-proxy.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let sql: Client;
let log: ChangeLog;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await freshDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  const orm = openOrm({ url: database.url, pool: 4, isLazy: true });
  log = new ChangeLog(new Pools(orm));
  close = async () => {
    await log.stop();
    await orm.close();
    await sql.end();
    await database.drop();
  };
});
afterAll(() => close());

const insertTeams = (count: number) =>
  sql.query(`insert into team (id) select gen_random_uuid()::text from generate_series(1, $1)`, [count]);
/** Deletes all changes from the log, as the daily cleanup does after a week. */
const deleteChanges = async () => {
  await sql.query(`update change set at = now() - interval '8 days'`);
  const pool = await log.pools.pool();
  await deleteOldChanges((text, values) => pool.query(text, values), 7);
};
const disconnectLogs = () =>
  sql.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where application_name = 'courtside changes' and datname = current_database()`,
  );
async function take(watch: Watch, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of watch) if (events.push(event) === count) break;
  return events;
}

test('a watch that resumes after thousands of missed changes gets all of them in order, while writes continue', async () => {
  const start = await log.currentPosition();
  await insertTeams(3_000);
  const watch = await log.watch(['Team'], start);
  const positions: number[] = [];
  for (let index = 0; index < 3_000; index++) {
    positions.push((await watch.next()).value.position);
    if (index % 100 > 0) continue;
    await insertTeams(1);
    await log.currentPosition();
  }
  expect({ events: positions.length, distinctPositions: new Set(positions).size }).toEqual({
    events: 3_000,
    distinctPositions: 3_000,
  });
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  await watch.return();
});

test('a watch that resumes at a position that the process has not read yet gets only later changes', async () => {
  const proxy = await startDatabaseProxy(database.url);
  const laggingLog = new ChangeLog(log.pools, { connection: connectionOptions(proxy.url) });
  await laggingLog.currentPosition();
  proxy.disconnect();
  await insertTeams(3);
  const { rows } = await sql.query('select max(position)::int as last from change');
  const opening = laggingLog.watch(['Team'], { ...(await log.currentPosition()), position: rows[0].last - 1 });
  await sleep(50);
  // The first read fails while the proxy is down. The log retries soon after.
  proxy.reconnect();
  const watch = await opening;
  await insertTeams(1);
  expect((await take(watch, 2)).map(({ position }) => position)).toEqual([rows[0].last, rows[0].last + 1]);
  await laggingLog.stop();
  proxy.stop();
});

test('the lag increases while an open transaction delays the first poll', async () => {
  const writer = new Client({ connectionString: database.url });
  await writer.connect();
  await writer.query(`begin; insert into team (id) values ('open')`);
  const lateLog = new ChangeLog(log.pools);
  const position = lateLog.currentPosition();
  await expect.poll(() => lateLog.lagMs).toBeGreaterThan(100);
  await writer.query('rollback');
  await position;
  await writer.end();
  await lateLog.stop();
});

test('a watch reports CHANGES_MISSED when the log ID changes before it has read the missed changes', async () => {
  const after = await log.currentPosition();
  await insertTeams(2);
  const watch = await log.watch(['Team'], after);
  await sql.query('update change_log set id = $1', [randomUUID()]);
  await disconnectLogs();
  await expect.poll(async () => (await log.currentPosition()).log).not.toBe(after.log);
  const events = await take(watch, 1);
  expect(events).toEqual([{ kind: 'CHANGES_MISSED', ...(await log.currentPosition()) }]);
});

describe('with a cursor of the log of a former primary', () => {
  const formerLog = 'former-1';

  test.each([
    { place: 'memory', laterChanges: 3 },
    { place: 'the database', laterChanges: 6_000 },
  ])('a watch resumes if the checksum matches the changes in $place', async ({ laterChanges }) => {
    await insertTeams(2);
    const after = await log.currentPosition();
    await insertTeams(laterChanges);
    const otherLog = new ChangeLog(log.pools);
    const watch = await otherLog.watch(['Team'], { ...after, log: formerLog });
    expect((await take(watch, 3)).map(({ kind }) => kind)).toEqual(['CREATED', 'CREATED', 'CREATED']);
    await otherLog.stop();
  });

  test('a watch reports CHANGES_MISSED if an earlier change differs', async () => {
    await insertTeams(2);
    const after = await log.currentPosition();
    await sql.query(`update change set id = 'other' where position = $1`, [after.position - 1]);
    const otherLog = new ChangeLog(log.pools);
    const watch = await otherLog.watch(['Team'], { ...after, log: formerLog });
    expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['CHANGES_MISSED']);
    await otherLog.stop();
  });

  test('a watch reports CHANGES_MISSED if the cursor has no checksum', async () => {
    const { position } = await log.currentPosition();
    const watch = await log.watch(['Team'], { position, log: formerLog });
    expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['CHANGES_MISSED']);
  });
});

test('a watch reports CHANGES_MISSED when another process starts a new log', async () => {
  const watch = await log.watch(['Team']);
  await sql.query('update change_log set id = $1', [randomUUID()]);
  const { checksum: _, ...current } = await log.currentPosition();
  expect(await take(watch, 1)).toEqual([{ kind: 'CHANGES_MISSED', ...current }]);
});

test('a watch reports CHANGES_MISSED when the changes that it missed are deleted before it reads them', async () => {
  const otherLog = new ChangeLog(log.pools);
  const start = await log.currentPosition();
  await insertTeams(6_000);
  // The other log caches only the latest of the 6,000 changes in memory.
  await otherLog.currentPosition();
  const watch = await otherLog.watch(['Team'], start);
  await deleteChanges();
  expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['CHANGES_MISSED']);
  await otherLog.stop();
});

test('a watch that ends while deleted changes are read is not registered', async () => {
  const otherLog = new ChangeLog(log.pools);
  const start = await log.currentPosition();
  await insertTeams(6_000);
  await otherLog.currentPosition();
  const watch = await otherLog.watch(['Team'], start);
  await deleteChanges();
  const read = watch.next();
  await watch.return();
  expect({ read: await read, subscribers: otherLog.subscriberCount }).toEqual({
    read: { done: true, value: undefined },
    subscribers: 0,
  });
  await otherLog.stop();
});

test('a watch reports CHANGES_MISSED when changes are deleted before its process has read them', async () => {
  const watch = await log.watch(['Team']);
  // The process reads the log only once a second, so the changes are deleted before it reads them.
  await insertTeams(3);
  await deleteChanges();
  expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['CHANGES_MISSED']);
});

test('a log whose database is unreachable rejects with UNAVAILABLE', async () => {
  const unavailable = { extensions: { code: 'UNAVAILABLE', retryAfter: 5 } };
  const proxy = await startDatabaseProxy(database.url);
  const orm = openOrm({ url: proxy.url, pool: 2, isLazy: true });
  const startedLog = new ChangeLog(new Pools(orm));
  const newLog = new ChangeLog(new Pools(orm));
  const start = await startedLog.currentPosition();
  proxy.stop();
  await expect(newLog.currentPosition()).rejects.toMatchObject(unavailable);
  await expect(startedLog.watch(['Team'], start)).rejects.toMatchObject(unavailable);
  await Promise.all([startedLog.stop(), newLog.stop()]);
  await orm.close();
});

test('a copy of a database has a different log ID, even with the same stored ID', async () => {
  const name = `copy_${randomUUID().replaceAll('-', '')}`;
  const queryWith = (client: Client) => (text: string, values?: unknown[]) => client.query(text, values);
  const admin = new Client({ connectionString: new URL('/postgres', database.url).href });
  await admin.connect();
  await admin.query(`create database ${name} template template strategy file_copy`);
  const copy = new Client({ connectionString: new URL(`/${name}`, database.url).href });
  await copy.connect();
  const { rows } = await sql.query('select id from change_log');
  await copy.query('update change_log set id = $1', [rows[0].id]);
  const [original, copied] = [await readLogIdentity(queryWith(sql)), await readLogIdentity(queryWith(copy))];
  expect(copied.log).not.toBe(original.log);
  expect(copied.lineage).not.toBe(original.lineage);
  await copy.end();
  await admin.query(`drop database ${name}`);
  await admin.end();
});
