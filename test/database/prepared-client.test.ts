import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxPreparedStatements, PreparedClient } from '../../src/database/prepared-client.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

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

test('a statement is prepared once if it has parameters, and never if it has none', async () => {
  for (const value of [1, 2, 3]) await client.query('select $1::int as value', [value]);
  await client.query('select 4');
  expect(await prepared()).toEqual([{ name: 's1', statement: 'select $1::int as value', runs: '3' }]);
});

test('the least recently used statements are evicted at the limit, and still run', async () => {
  const texts = Array.from({ length: maxPreparedStatements + 50 }, (_, index) => `select $1::int + ${index} as value`);
  for (const text of texts) await client.query(text, [1]);
  const cached = (await prepared()).map((row: { statement: string }) => row.statement);
  expect({
    count: cached.length,
    hasFirst: cached.includes(texts[0]),
    hasLast: cached.includes(texts.at(-1)),
  }).toEqual({ count: maxPreparedStatements, hasFirst: false, hasLast: true });
  expect((await client.query(texts[0] ?? '', [1])).rows).toEqual([{ value: 1 }]);
});

test('a statement that is evicted in a failed transaction does not break later statements', async () => {
  await client.query('begin');
  await client.query('select 1/0').catch(() => undefined);
  for (let index = 0; index < 60; index++) await client.query(`select $1::int - ${index} as value`, [1]).catch(() => undefined);
  await client.query('rollback');
  expect((await client.query('select $1::int as value', [7])).rows).toEqual([{ value: 7 }]);
});

test('rejects a statement or a value that contains a NUL character', async () => {
  // The server would read the statement only up to the NUL character.
  const invalidCharacter = { code: '22021' };
  await expect(client.query("select 'a\0b'")).rejects.toMatchObject(invalidCharacter);
  await expect(client.query('select $1::text', ['a\0b'])).rejects.toMatchObject(invalidCharacter);
});

/** Counts the protocol messages of each kind that a connection receives during the work. */
async function countMessages(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  const counts: Record<string, number> = {};
  const count = ({ name }: { name: string }) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  connection.on('message', count);
  await work().finally(() => connection.off('message', count));
  return counts;
}

test('only the first run of a statement requests a row description', async () => {
  const text = 'select n as "a.b", n::text || $1 as "__proto__", null as c, now() > $2 as d from generate_series(1, 2) n';
  const run = async () => (await client.query(text, ['x', '2020-01-01'])).rows.map(Object.entries);
  const rows = [1, 2].map((n) => [
    ['a.b', n],
    ['__proto__', `${n}x`],
    ['c', null],
    ['d', true],
  ]);
  const first = await countMessages(async () => expect(await run()).toEqual(rows));
  const second = await countMessages(async () => expect(await run()).toEqual(rows));
  expect({
    descriptionsOfFirst: first.rowDescription,
    descriptionsOfSecond: second.rowDescription,
    rowsOfSecond: second.dataRow,
  }).toEqual({ descriptionsOfFirst: 1, descriptionsOfSecond: undefined, rowsOfSecond: 2 });
  expect(await run()).toEqual(rows);
});

test('a write that returns no rows can run repeatedly', async () => {
  await client.query('create temporary table thing (id int)');
  for (const id of [1, 2, 3]) expect((await client.query('insert into thing values ($1)', [id])).rowCount).toBe(1);
  expect((await client.query('select count(*)::int as n from thing')).rows).toEqual([{ n: 3 }]);
});

test('a value that cannot be serialized fails only its statement', async () => {
  const self: { self?: unknown } = {};
  self.self = self;
  await client.query('select $1::text as value', ['a']);
  await expect(client.query('select $1::text as value', [self])).rejects.toThrow(/circular/);
  expect((await client.query('select $1::text as value', ['b'])).rows).toEqual([{ value: 'b' }]);
});

test('values of every kind and length are read correctly however the bytes are chunked', async () => {
  const lengths = [0, 1, 12, 13, 127, 128, 129, 255, 256, 4_000, 32_768, 200_000];
  const texts = ['a', 'é', '€', '🎾', '\u0080', '\u00ff\u0100', 'a🎾'].flatMap((part) =>
    lengths.map((length) => part.repeat(Math.ceil(length / part.length))),
  );
  for (const text of texts)
    expect((await client.query('select $1::text as one, null as two, $1 as three', [text])).rows).toEqual([
      { one: text, two: null, three: text },
    ]);
  const { rows } = await client.query('select n, repeat($1, n) as text from generate_series(0, 3000) n', ['ö']);
  expect(rows.every(({ n, text }: { n: number; text: string }) => text === 'ö'.repeat(n))).toBe(true);
});

test('a statement whose columns a migration changes fails once, also in a transaction, and is then prepared again', async () => {
  await client.query('create temporary table grown (id int)');
  await client.query('insert into grown values (1)');
  const read = async () => (await client.query('select * from grown where id = $1', [1])).rows;
  await read();
  await client.query('alter table grown add note text');
  await client.query('begin');
  const failure = await read().catch((error: Error) => error.message);
  await client.query('rollback');
  expect({ failure, rows: await read() }).toEqual({
    failure: 'cached plan must not change result type',
    rows: [{ id: 1, note: null }],
  });
});
