import { Migration } from '@mikro-orm/migrations';

/** Statements that run in one transaction. Each statement must hold its locks for less than a second. */
export interface TransactionStep {
  readonly statements: readonly string[];
}

/** An index that is built without blocking writes (`create index concurrently`). */
export interface IndexStep {
  /** Name of the index. */
  readonly index: string;
  readonly table: string;
  /** SQL after the name of the table, such as `using gin (labels)` or `(starts_at) where is_featured`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/** An update of a table in batches. Each batch is one transaction, so that it locks its rows only for a short time. */
export interface BackfillStep {
  /** Name of the table. It must have a primary key named `id`. */
  readonly backfill: string;
  /** SQL assignments, such as `season = extract(year from starts_at)`. */
  readonly set: string;
  /** SQL condition that is false for updated rows, such as `season is null`, so that the step can run again. */
  readonly where: string;
  /** Number of rows per batch. Default: 200. */
  readonly batchSize?: number;
}

/** Default number of rows per batch of a backfill. Larger batches delay writes of the same rows for longer. */
export const defaultBatchSize = 200;

/** Part of a migration. If it is interrupted, it runs again from its start. */
export type MigrationStep = TransactionStep | IndexStep | BackfillStep;

/** A migration that runs as steps, because one transaction would block requests for too long. */
export abstract class SteppedMigration extends Migration {
  abstract readonly steps: readonly MigrationStep[];

  override up(): void {}
}

/** Returns the statements of a migration without steps. They run in one transaction. */
async function statementsOf(migration: Migration): Promise<string[]> {
  migration.reset();
  await migration.up();
  return migration.getQueries().map((query) => {
    if (typeof query !== 'string') throw new Error(`${migration.constructor.name} must pass SQL text to addSql.`);
    return query;
  });
}

/** Returns the steps of a migration. A migration without steps consists of one transaction. */
export const stepsOf = async (migration: Migration): Promise<readonly MigrationStep[]> =>
  migration instanceof SteppedMigration ? migration.steps : [{ statements: await statementsOf(migration) }];
