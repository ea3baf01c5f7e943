import { sql as raw } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { sqlForReading, sqlForWriting } from '../../src/kernel/facts.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { placeholder, queryBuilder, statementOf } from '../../src/kernel/statement.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: ReturnType<typeof openOrm>;
beforeAll(async () => {
  database = await emptyDatabase();
  orm = openOrm({ url: database.url, pool: 1, modules: [] });
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

const oneColumn = raw<number>`1`.as('n');
const numbers = queryBuilder.with('numbers', (db) => db.selectNoFrom(oneColumn)).selectFrom('numbers');

/** Runs work in a session with a `fence`. Returns how often a commit was reported, and how often the fence was called. */
async function effectsOf(work: (sql: Session) => Promise<unknown>) {
  const pools = new Pools(orm);
  const effects = { notifications: 0, fenceCalls: 0 };
  pools.onCommit = () => {
    effects.notifications += 1;
  };
  const sql = new Session(pools, 'write');
  sql.fence = async () => {
    effects.fenceCalls += 1;
  };
  await work(sql);
  return effects;
}

test.each([
  ['a select', (sql: Session) => sql.run(queryBuilder.selectNoFrom(oneColumn))],
  ['a select with a common table expression', (sql: Session) => sql.run(numbers.selectAll())],
  [
    'a compiled select that is planned for its values',
    (sql: Session) =>
      sql.statement(
        statementOf('numbers by values', () => numbers.selectAll(), { planMode: 'custom' }),
        [],
      ),
  ],
  ['SQL text with a comment at its start', (sql: Session) => sql.rows(sqlForReading([], '/* a comment */ select 1'))],
])('%s sends no notification and does not call the fence', async (_, work) => {
  expect(await effectsOf(work)).toEqual({ notifications: 0, fenceCalls: 0 });
});

test.each([
  ['SQL text that writes', (sql: Session) => sql.rows(sqlForWriting(['numbers'], 'create table numbers (n int)'))],
  ['SQL text of a library', (sql: Session) => sql.rows('select 1')],
  ['a typed write', (sql: Session) => sql.run(queryBuilder.insertInto('numbers').values({ n: 1 }))],
  [
    'a select with a write in a common table expression',
    (sql: Session) =>
      sql.run(
        queryBuilder
          .with('added', (db) => db.insertInto('numbers').values({ n: 2 }).returning('n'))
          .selectFrom('added')
          .selectAll(),
      ),
  ],
])('%s sends one notification and calls the fence once', async (_, work) => {
  expect(await effectsOf(work)).toEqual({ notifications: 1, fenceCalls: 1 });
});

test('a statement is prepared unless its plan mode is custom, even in a transaction', async () => {
  const sql = new Session(new Pools(orm), 'write');
  const integerAs = (name: string) => queryBuilder.selectNoFrom(raw`${placeholder(1)}::int`.as(name));
  const statements = (['generic', 'custom'] as const).map((planMode) =>
    statementOf(`value ${planMode}`, () => integerAs(planMode), { planMode }),
  );
  const run = () => Promise.all(statements.map((statement) => sql.statement(statement, [7])));
  const prepared = () =>
    sql.rows(sqlForReading([], `select statement from pg_prepared_statements where statement like '%int as%'`));
  const results = [await run(), await sql.transaction(run)];
  const rows = [[{ generic: 7 }], [{ custom: 7 }]];
  expect({ results, prepared: await prepared() }).toEqual({
    results: [rows, rows],
    prepared: [{ statement: 'select $1::int as "generic"' }],
  });
});
