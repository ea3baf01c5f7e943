import { Client } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { SteppedMigration } from '../../src/database/migration-steps.js';
import { type Orm, openOrm } from '../../src/database/orm.js';
import type { MigrationEvent } from '../../src/database/run-migrations.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let orm: Orm;
let client: Client;
beforeEach(async () => {
  database = await emptyDatabase();
  orm = openOrm({ url: database.url, isLazy: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "create table match (id text primary key, sets int); insert into match select lpad(i::text, 4, '0'), i from generate_series(1, 2500) i",
  );
});
afterEach(async () => {
  await client.end();
  await orm.close();
  await database.drop();
});

const rowsOf = async (sql: string) => (await client.query(sql)).rows;

class AddGames extends SteppedMigration {
  readonly steps = [
    { statements: ['alter table match add games int', 'alter table match add check (games is not null) not valid'] },
    { backfill: 'match', set: 'games = 6 * sets', where: 'games is null' },
    { index: 'match_games_idx', table: 'match', definition: '(games, id)' },
    {
      statements: [
        'alter table match validate constraint match_games_check',
        'alter table match alter games set not null',
        'alter table match drop constraint match_games_check',
      ],
    },
  ];
}

test('steps add a column, fill it in batches, index it and make it required', async () => {
  const events: MigrationEvent[] = [];
  await migrate(orm, [AddGames], { report: (event) => events.push(event) });
  expect({
    events: events.map(({ state, step, stepCount }) => `${state} ${step}/${stepCount}`),
    rows: await rowsOf(
      'select count(*)::int as count, sum(games - 6 * sets)::int as difference, count(distinct xmin::text)::int as batches from match',
    ),
    column: await rowsOf(
      "select attnotnull as required from pg_attribute where attrelid = 'match'::regclass and attname = 'games'",
    ),
    index: await rowsOf("select indisvalid as valid from pg_index where indexrelid = 'match_games_idx'::regclass"),
    migrations: await rowsOf('select name from mikro_orm_migrations'),
    progress: await rowsOf("select to_regclass('migration_progress') as table"),
  }).toEqual({
    events: ['started 1/4', 'step 2/4', 'step 3/4', 'step 4/4', 'finished 4/4'],
    rows: [{ count: 2500, difference: 0, batches: 13 }],
    column: [{ required: true }],
    index: [{ valid: true }],
    migrations: [{ name: 'AddGames' }],
    progress: [{ table: null }],
  });
});

test('processes that wait for a migration do not block the build of its index', async () => {
  const other = openOrm({ url: database.url, isLazy: true });
  onTestFinished(() => other.close());
  const results = await Promise.all([migrate(orm, [AddGames]), migrate(other, [AddGames])]);
  expect({
    results: results.toSorted(),
    index: await rowsOf("select indisvalid as valid from pg_index where indexrelid = 'match_games_idx'::regclass"),
  }).toEqual({
    results: [[], ['AddGames']],
    index: [{ valid: true }],
  });
});

test('an interrupted migration continues with the interrupted step, and is recorded only when all steps are complete', async () => {
  // The division fails for row 1,500, after seven batches are complete.
  await client.query("update match set sets = 0 where id = '1500'");
  class Interrupted extends SteppedMigration {
    readonly steps = [
      { statements: ['alter table match add share int'] },
      { backfill: 'match', set: 'share = 1000 / sets', where: 'share is null' },
      { statements: ['alter table match add rank int'] },
    ];
  }
  await expect(migrate(orm, [Interrupted])).rejects.toThrow('Step 2 of 3 of the migration Interrupted failed: division by zero');
  const interrupted = {
    filled: await rowsOf('select count(share)::int as count from match'),
    migrations: await rowsOf('select name from mikro_orm_migrations'),
    progress: await rowsOf('select * from migration_progress'),
  };
  await client.query("update match set sets = 5 where id = '1500'");
  const names = await migrate(orm, [Interrupted]);
  expect({ interrupted, names, filled: await rowsOf('select count(share)::int as count from match') }).toEqual({
    interrupted: {
      filled: [{ count: 1400 }],
      migrations: [],
      progress: [{ migration: 'Interrupted', completed_steps: 1 }],
    },
    names: ['Interrupted'],
    filled: [{ count: 2500 }],
  });
});

test('the invalid index of an interrupted step is replaced', async () => {
  class UniqueSets extends SteppedMigration {
    readonly steps = [{ index: 'match_sets_idx', table: 'match', definition: '(sets)', isUnique: true }];
  }
  await client.query("update match set sets = 7 where id = '0008'");
  await expect(migrate(orm, [UniqueSets])).rejects.toThrow('could not create unique index');
  const isValid = () => rowsOf("select indisvalid as valid from pg_index where indexrelid = to_regclass('match_sets_idx')");
  const interrupted = await isValid();
  await client.query("update match set sets = 8 where id = '0008'");
  await migrate(orm, [UniqueSets]);
  expect({ interrupted, complete: await isValid() }).toEqual({ interrupted: [{ valid: false }], complete: [{ valid: true }] });
});

test('a migration that waits for a lock lets other requests run, and succeeds when the lock is released', async () => {
  const blocker = new Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("begin; update match set sets = 1 where id = '0001'");
  let timedOut = () => {};
  const lockTimeout = new Promise<void>((resolve) => {
    timedOut = resolve;
  });
  const migrating = migrate(orm, [AddGames], { report: ({ state }) => state === 'waiting for a lock' && timedOut() });
  await lockTimeout;
  // Without the timeout, this statement would wait behind the migration until the end of the other transaction.
  const read = await rowsOf("set statement_timeout = '10s'; select 1 as one from match limit 1").then(() => 'read');
  await blocker.query('commit');
  await blocker.end();
  expect({ read, names: await migrating }).toEqual({ read: 'read', names: ['AddGames'] });
});

test('a migration whose connection with the lock is lost stops before the next step', async () => {
  class LosesLock extends SteppedMigration {
    readonly steps = [
      {
        statements: [
          "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
        ],
      },
      { statements: ['create table never (id int)'] },
    ];
  }
  await expect(migrate(orm, [LosesLock])).rejects.toThrow(/Step 2 of 2 of the migration LosesLock failed/);
  expect(await rowsOf("select to_regclass('never') as table")).toEqual([{ table: null }]);
});
