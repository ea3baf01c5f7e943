import { Migration } from '@mikro-orm/migrations';
import { type MigrationStep, SteppedMigration } from '../../../src/database/migration-steps.js';

/** SQL for the value of the new column. */
const season = (row: string) => `coalesce(extract(year from ${row}starts_at)::int, 0)`;

const addColumn = [
  'alter table tournament add season int',
  // Fills the column in rows that an older release writes.
  `create function set_season() returns trigger language plpgsql as $$
   begin
     new.season := ${season('new.')};
     return new;
   end $$`,
  'create trigger set_season before insert or update of starts_at on tournament for each row execute function set_season()',
];

/** Adds a required, indexed column to a large table as steps. */
export class SeasonAsSteps extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps: readonly MigrationStep[] = [
    { statements: addColumn },
    { backfill: 'tournament', set: `season = ${season('')}`, where: 'season is null' },
    { statements: ['alter table tournament add constraint tournament_season_present check (season is not null) not valid'] },
    // Separate from the previous step, which holds an exclusive lock until its commit.
    { statements: ['alter table tournament validate constraint tournament_season_present'] },
    { index: 'tournament_season_idx', table: 'tournament', definition: '(season, id)' },
    {
      statements: [
        // Does not scan the table, because the constraint is valid.
        'alter table tournament alter season set not null',
        'alter table tournament drop constraint tournament_season_present',
        `select log_changes_of_columns('tournament')`,
      ],
    },
  ];
}

/** Makes the same change in one transaction. */
export class SeasonAtOnce extends Migration {
  static readonly oldestRelease = '0.1.0';

  override up(): void {
    for (const statement of addColumn) this.addSql(statement);
    this.addSql(`update tournament set season = ${season('')}`);
    this.addSql('alter table tournament alter season set not null');
    this.addSql('create index tournament_season_idx on tournament (season, id)');
    this.addSql(`select log_changes_of_columns('tournament')`);
  }
}

/** Statements that undo either migration. */
export const undoStatements = [
  'drop function set_season() cascade',
  'alter table tournament drop season cascade',
  `select log_changes_of_columns('tournament')`,
  `delete from executed_migration where name like 'Season%'`,
];
