import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { sqlForReading } from '../kernel/facts.js';
import { Pools, Session } from '../kernel/session.js';
import { type ExecutedMigrations, type QueryRows, readExecutedMigrations } from './migration-history-sql.js';

const runOn =
  (pools: Pools): QueryRows =>
  (text) =>
    new Session(pools, 'write').rows(sqlForReading(['mikro_orm_migrations', 'executed_migration'], text));

/** Reads the executed migrations of a database. Returns null for a new database. */
export const executedMigrations = (orm: MikroORM): Promise<ExecutedMigrations | null> =>
  readExecutedMigrations(runOn(new Pools(orm)));

/**
 * Whether a development version before 0.1.0 created the tables. `list` starts with the baseline, which replaced the migrations of these
 * versions.
 */
export const predatesBaseline = (executed: ExecutedMigrations, list: readonly { name: string }[] = migrations): boolean =>
  executed.size > 0 && !executed.has(list[0]?.name ?? '');

/** Returns the number of migrations of this release that have not run. */
export async function countPendingMigrations(pools: Pools): Promise<number> {
  const executed = await readExecutedMigrations(runOn(pools));
  return migrations.filter(({ name }) => !executed?.has(name)).length;
}

/** Returns the reason why this release cannot work with the migrations of the database. Null if it can. */
export async function migrationProblem(pools: Pools): Promise<string | null> {
  const executed = await readExecutedMigrations(runOn(pools));
  if (executed === null) return 'the database has no migrations';
  if (predatesBaseline(executed)) return 'the tables were created by a development version before 0.1.0';
  const missingNames = migrations.flatMap(({ name }) => (executed.has(name) ? [] : [name]));
  return missingNames.length > 0 ? `the database lacks migrations: ${missingNames.join(', ')}` : null;
}

/** Returns the reason why the database cannot serve requests. Null if it responds and has all migrations of this release. */
export const notReadyReason = (pools: Pools): Promise<string | null> =>
  migrationProblem(pools).catch(() => 'the database cannot be reached');
