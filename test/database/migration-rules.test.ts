import { Migration } from '@mikro-orm/migrations';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { type MigrationStep, SteppedMigration } from '../../src/database/migration-steps.js';
import { SeasonAsSteps, SeasonAtOnce } from '../load/migration-locks/sample-migrations.js';
import { migrationProblems } from '../support/checks/migration-rules.js';

/** Number of migrations of version 0.1.0, which were not written as steps. */
const firstMigrations = 18;

test('migrations use steps for changes that would block requests', async () => {
  const problems = await Promise.all(migrations.slice(firstMigrations).map(migrationProblems));
  expect(problems.flat()).toEqual([]);
});

const stepped = (...steps: MigrationStep[]) =>
  class Sample extends SteppedMigration {
    readonly steps = steps;
  };

const plain = (sql: string) =>
  class Sample extends Migration {
    override up() {
      this.addSql(sql);
    }
  };

const team = (problem: string) => [expect.stringMatching(`^Sample, step \\d: team ${problem}`)];

test.each([
  ['a new column without steps', plain('alter table team add motto text'), team('is large')],
  [
    'an index in a transaction',
    stepped({ statements: ['create index team_motto_idx on team (motto)'] }),
    team('builds an index'),
  ],
  [
    'a unique constraint',
    stepped({ statements: ['alter table "team" add constraint a unique (motto)'] }),
    team('builds an index'),
  ],
  ['an update of all rows', stepped({ statements: [`update team set motto = ''`] }), team('writes all rows at once')],
  ['a checked constraint', stepped({ statements: ['alter table team add check (seed > 0)'] }), team('checks all rows')],
  ['an unchecked not null', stepped({ statements: ['alter table team alter seed set not null'] }), team('checks all rows')],
  ['another type', stepped({ statements: ['alter table team alter column seed type bigint'] }), team('rewrites the table')],
  [
    'a validation in the transaction of the constraint',
    stepped({
      statements: ['alter table team add constraint a check (seed > 0) not valid', 'alter table team validate constraint a'],
    }),
    team('holds an exclusive lock'),
  ],
])('rejects %s', async (_, migration, problems) => {
  expect(await migrationProblems(migration)).toEqual(problems);
});

test('accepts steps, small tables, new tables and function bodies', async () => {
  const accepted = [
    SeasonAsSteps,
    stepped(
      { statements: ['alter table team add motto text'] },
      { index: 'team_motto_idx', table: 'team', definition: '(motto)' },
    ),
    plain('alter table platform add constraint platform_motto_unique unique (motto); create index on platform (motto)'),
    plain(
      'create table "court" (id text primary key, indoor boolean); create index court_indoor_idx on court (indoor); update court set indoor = true',
    ),
    plain('create function f() returns trigger language plpgsql as $$ begin update team set seed = 1; return null; end $$'),
  ];
  expect((await Promise.all(accepted.map(migrationProblems))).flat()).toEqual([]);
  expect((await migrationProblems(SeasonAtOnce)).length).toBeGreaterThanOrEqual(4);
});
