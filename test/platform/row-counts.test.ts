import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let [one, other]: Client[] = [];
beforeAll(async () => {
  app = await startApp();
  [one, other] = [0, 1].map(() => new Client({ connectionString: app.databaseUrl }));
  await Promise.all([one?.connect(), other?.connect()]);
});
afterAll(async () => {
  await Promise.all([one?.end(), other?.end()]);
  await app.close();
});
beforeEach(() => one?.query('truncate team'));

const add = (client: Client | undefined, ...ids: string[]) =>
  client?.query('insert into team (id) select unnest($1::text[]) on conflict (id) do update set seed = 1', [ids]);
/** What a list without a filter says, and how many rows there are. */
const counts = async () => [
  Number((await app.rest('GET', '/v1/data/teams?page_size=1', app.platform)).body.total_records),
  Number((await app.sql.row('select count(*) as n from team'))?.n),
];

test('a list without a filter counts what was added, changed and deleted', async () => {
  await add(one, 'a', 'b', 'c');
  await add(one, 'c', 'd');
  await one?.query(`delete from team where id = 'a'`);
  expect(await counts()).toEqual([3, 3]);
});

test('a list without a filter counts what is committed, from transactions that are open at one time, too', async () => {
  await one?.query('begin');
  await other?.query('begin');
  await add(one, 'a', 'b');
  await add(other, 'c', 'd', 'e');
  await one?.query('savepoint s');
  await add(one, 'f');
  await one?.query('rollback to savepoint s');
  const before = await counts();
  await other?.query('commit');
  const between = await counts();
  await one?.query('commit');
  expect([before, between, await counts()]).toEqual([
    [0, 0],
    [3, 3],
    [5, 5],
  ]);
});

test('a list without a filter counts nothing of what was rolled back or truncated', async () => {
  await add(one, 'a', 'b');
  await one?.query('begin');
  await add(one, 'c');
  await one?.query('rollback');
  const before = await counts();
  await one?.query('truncate team');
  expect([before, await counts()]).toEqual([
    [2, 2],
    [0, 0],
  ]);
});

test('writers in many processes keep the count and never wait for each other', async () => {
  const ids = (who: string) => Array.from({ length: 20 }, (_, index) => `${who}${index}`);
  const write = async (client: Client | undefined, who: string) => {
    for (const id of ids(who)) await add(client, id);
    await client?.query('delete from team where id = any($1)', [ids(who).slice(0, 5)]);
  };
  await Promise.all([write(one, 'x'), write(other, 'y')]);
  expect(await counts()).toEqual([30, 30]);
});
