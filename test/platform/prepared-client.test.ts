import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostPrepared, PreparedClient } from '../../src/database/prepared-client.js';
import { type Database, emptyDatabase } from '../support/database.js';

let database: Database;
let client: PreparedClient;
beforeAll(async () => {
  database = await emptyDatabase();
  client = new PreparedClient({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const prepared = async () =>
  (await client.query('select name, statement, generic_plans + custom_plans as runs from pg_prepared_statements')).rows;

test('a statement with parameters is prepared once, one without is not', async () => {
  for (const value of [1, 2, 3]) await client.query('select $1::int as value', [value]);
  await client.query('select 4');
  expect(await prepared()).toEqual([{ name: 's1', statement: 'select $1::int as value', runs: '3' }]);
});

test('of more statements than are kept the least used ones are forgotten, and all of them still run', async () => {
  const texts = Array.from({ length: mostPrepared + 50 }, (_, index) => `select $1::int + ${index} as value`);
  for (const text of texts) await client.query(text, [1]);
  const kept = await prepared();
  const again = await client.query(texts[0] ?? '', [1]);
  expect([
    kept.length,
    kept.some((row: { statement: string }) => row.statement === texts[0]),
    kept.some((row: { statement: string }) => row.statement === texts.at(-1)),
    again.rows,
  ]).toEqual([mostPrepared, false, true, [{ value: 1 }]]);
});

test('a statement that is forgotten in a failed transaction does not stop what comes after it', async () => {
  await client.query('begin');
  await client.query('select 1/0').catch(() => undefined);
  for (let index = 0; index < 60; index++) await client.query(`select $1::int - ${index} as value`, [1]).catch(() => undefined);
  await client.query('rollback');
  expect((await client.query('select $1::int as value', [7])).rows).toEqual([{ value: 7 }]);
});

test('a text with a NUL in it, which the server would see half of, is refused like a value with one', async () => {
  const refused = { code: '22021' };
  await expect(client.query("select 'a\0b'")).rejects.toMatchObject(refused);
  await expect(client.query('select $1::text', ['a\0b'])).rejects.toMatchObject(refused);
});
