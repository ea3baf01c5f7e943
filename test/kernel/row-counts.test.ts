import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let first: Client;
let second: Client;
beforeAll(async () => {
  app = await startApp();
  first = new Client({ connectionString: app.databaseUrl });
  second = new Client({ connectionString: app.databaseUrl });
  await Promise.all([first.connect(), second.connect()]);
});
afterAll(async () => {
  await Promise.all([first.end(), second.end()]);
  await app.close();
});
beforeEach(() => first.query('truncate team'));

const upsertTeams = (client: Client, ...ids: string[]) =>
  client.query('insert into team (id) select unnest($1::text[]) on conflict (id) do update set seed = 1', [ids]);
/** Returns the total that an unfiltered list reports, and the number of rows in the table. */
const counts = async () => ({
  reported: Number((await app.rest('GET', '/v1/data/teams?page_size=1', app.platform)).body.total_records),
  stored: Number((await app.sql.row('select count(*) as n from team'))?.n),
});

test('the total of an unfiltered list follows inserts, updates and deletes', async () => {
  await upsertTeams(first, 'a', 'b', 'c');
  await upsertTeams(first, 'c', 'd');
  await first.query(`delete from team where id = 'a'`);
  expect(await counts()).toEqual({ reported: 3, stored: 3 });
});

test('the total of an unfiltered list counts only committed rows of concurrent transactions', async () => {
  await first.query('begin');
  await second.query('begin');
  await upsertTeams(first, 'a', 'b');
  await upsertTeams(second, 'c', 'd', 'e');
  await first.query('savepoint s');
  await upsertTeams(first, 'f');
  await first.query('rollback to savepoint s');
  const whileBothAreOpen = await counts();
  await second.query('commit');
  const whileOneIsOpen = await counts();
  await first.query('commit');
  const afterBothCommits = await counts();
  expect({ whileBothAreOpen, whileOneIsOpen, afterBothCommits }).toEqual({
    whileBothAreOpen: { reported: 0, stored: 0 },
    whileOneIsOpen: { reported: 3, stored: 3 },
    afterBothCommits: { reported: 5, stored: 5 },
  });
});

test('the total of an unfiltered list omits rows that were rolled back or truncated', async () => {
  await upsertTeams(first, 'a', 'b');
  await first.query('begin');
  await upsertTeams(first, 'c');
  await first.query('rollback');
  const afterRollback = await counts();
  await first.query('truncate team');
  const afterTruncate = await counts();
  expect({ afterRollback, afterTruncate }).toEqual({
    afterRollback: { reported: 2, stored: 2 },
    afterTruncate: { reported: 0, stored: 0 },
  });
});

test('concurrent writers keep the total correct without waiting for each other', async () => {
  const idsWith = (prefix: string) => Array.from({ length: 20 }, (_, index) => `${prefix}${index}`);
  const write = async (client: Client, prefix: string) => {
    for (const id of idsWith(prefix)) await upsertTeams(client, id);
    await client.query('delete from team where id = any($1)', [idsWith(prefix).slice(0, 5)]);
  };
  await Promise.all([write(first, 'x'), write(second, 'y')]);
  expect(await counts()).toEqual({ reported: 30, stored: 30 });
});
