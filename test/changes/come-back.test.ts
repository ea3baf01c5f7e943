import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { ChangeLog, type Told, type Watch } from '../../src/kernel/changes/index.js';
import { forgetChanges, logIdOf } from '../../src/kernel/changes/log-sql.js';
import { Pools } from '../../src/kernel/session.js';
import { type Database, freshDatabase } from '../support/database.js';
import { startLine } from '../support/line.js';

let database: Database;
let sql: Client;
let log: ChangeLog;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await freshDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  const orm = openOrm({ url: database.url, pool: 4, lazily: true });
  log = new ChangeLog(new Pools(orm));
  close = async () => {
    await log.stop();
    await orm.close();
    await sql.end();
    await database.drop();
  };
});
afterAll(() => close());

const write = (many: number) =>
  sql.query(`insert into team (id) select gen_random_uuid()::text from generate_series(1, $1)`, [many]);
const forget = async () => {
  await sql.query(`update change set at = now() - interval '8 days'`);
  const pool = await log.pools.pool();
  await forgetChanges((text, values) => pool.query(text, values), 7);
};
const hangUp = () =>
  sql.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'courtside changes' and datname = current_database()`,
  );
async function take(watch: Watch, many: number): Promise<Told[]> {
  const told: Told[] = [];
  for await (const each of watch) if (told.push(each) === many) break;
  return told;
}

test('who has missed thousands is told of all of them, as others go on to write', async () => {
  const after = await log.here();
  await write(3_000);
  const watch = await log.watch(['Team'], after);
  const told: Told[] = [];
  for (let at = 0; at < 3_000; at++) {
    told.push((await watch.next()).value);
    if (at % 100 > 0) continue;
    await write(1);
    await log.here();
  }
  expect([told.length, new Set(told.map(({ position }) => position)).size]).toEqual([3_000, 3_000]);
  expect(told.map(({ position }) => position)).toEqual(told.map(({ position }) => position).sort((a, b) => a - b));
  await watch.return();
});

test('who comes back with a place ahead of what the process has read is told of nothing before it', async () => {
  const line = await startLine(database.url);
  const behind = new ChangeLog(log.pools, { url: line.url });
  await behind.here();
  line.goDead();
  await write(3);
  const { rows } = await sql.query('select max(position)::int as last from change');
  const watching = behind.watch(['Team'], { ...(await log.here()), position: rows[0].last - 1 });
  await sleep(50);
  // Its look fails, and it reads on soon after.
  line.mend();
  const watch = await watching;
  await write(1);
  expect((await take(watch, 2)).map(({ position }) => position)).toEqual([rows[0].last, rows[0].last + 1]);
  await behind.stop();
  line.stop();
});

test('who reads what was missed while the log becomes another one must read anew', async () => {
  const after = await log.here();
  await write(2);
  const watch = await log.watch(['Team'], after);
  await sql.query('update change_log set id = $1', [randomUUID()]);
  await hangUp();
  await expect.poll(async () => (await log.here()).log).not.toBe(after.log);
  expect(await take(watch, 1)).toEqual([{ kind: 'READ_ANEW', ...(await log.here()) }]);
});

test('who reads what is forgotten meanwhile must read anew', async () => {
  const another = new ChangeLog(log.pools);
  const after = await log.here();
  await write(6_000);
  // Of these it has only the last in memory.
  await another.here();
  const watch = await another.watch(['Team'], after);
  await forget();
  expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['READ_ANEW']);
  await another.stop();
});

test('a process that stood still until the log was forgotten tells that all must be read anew', async () => {
  const watch = await log.watch(['Team']);
  // It has a look once a second.
  await write(3);
  await forget();
  expect((await take(watch, 1)).map(({ kind }) => kind)).toEqual(['READ_ANEW']);
});

test('while the database is away the log is UNAVAILABLE', async () => {
  const unavailable = { extensions: { code: 'UNAVAILABLE', retryAfter: 5 } };
  const line = await startLine(database.url);
  const orm = openOrm({ url: line.url, pool: 2, lazily: true });
  const known = new ChangeLog(new Pools(orm));
  const unknown = new ChangeLog(new Pools(orm));
  const place = await known.here();
  line.stop();
  await expect(unknown.here()).rejects.toMatchObject(unavailable);
  await expect(known.watch(['Team'], place)).rejects.toMatchObject(unavailable);
  await Promise.all([known.stop(), unknown.stop()]);
  await orm.close();
});

test('a dump that is restored beside what it was taken of is another log', async () => {
  const name = `copy_${randomUUID().replaceAll('-', '')}`;
  const ask = (client: Client) => (text: string, values?: unknown[]) => client.query(text, values);
  const own = new Client({ connectionString: new URL('/postgres', database.url).href });
  await own.connect();
  await own.query(`create database ${name} template template strategy file_copy`);
  const other = new Client({ connectionString: new URL(`/${name}`, database.url).href });
  await other.connect();
  const { rows } = await sql.query('select id from change_log');
  await other.query('update change_log set id = $1', [rows[0].id]);
  expect(await logIdOf(ask(other))).not.toBe(await logIdOf(ask(sql)));
  await other.end();
  await own.query(`drop database ${name}`);
  await own.end();
});
