import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

async function resultOf(call: string, values: readonly string[]): Promise<unknown> {
  const { rows } = await client.query(`select ${call} as result`, [...values]);
  return rows[0].result;
}

test.each([
  ['Classic CUP 7', 'classic cup 7'],
  ['Zürich ÉTÉ', 'zurich ete'],
  ['ŁÓDŹ Straße', 'lodz strasse'],
  ['東京', '東京'],
  ['', ''],
])('unaccent_lower of %j is %j', async (text, result) => {
  expect(await resultOf('unaccent_lower($1)', [text])).toBe(result);
});

test.each([
  ['an ordinary day', '2026-05-01', 'America/Chicago', '2026-05-01T05:00:00.000Z'],
  ['a day with two midnights: the first one counts', '2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
  ['the day after', '2025-11-03', 'America/Havana', '2025-11-03T05:00:00.000Z'],
  ['a day without a midnight', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['the first day, which started earlier in UTC', '0001-01-01', 'Asia/Tokyo', '0001-01-01T00:00:00.000Z'],
  ['the day after the last one', '10000-01-01', 'UTC', '9999-12-31T23:59:59.999Z'],
])('start_of_day of %s: %s in %s starts at %s', async (_, day, zone, start) => {
  expect(await resultOf('start_of_day($1, $2)', [day, zone])).toEqual(new Date(start));
});
