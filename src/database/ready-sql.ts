import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { errorCode } from '../kernel/database-errors.js';
import { sqlForReading } from '../kernel/facts.js';
import { Pools, Session } from '../kernel/session.js';

/** Returns the names of the executed migrations. Throws if the table of migrations does not exist. */
async function executedNames(pools: Pools): Promise<Set<unknown>> {
  return new Set(
    (
      await new Session(pools, 'write').rows(sqlForReading(['mikro_orm_migrations'], 'select name from mikro_orm_migrations'))
    ).map(({ name }) => name),
  );
}

/** Returns the names of the executed migrations. Null for a new database. */
export async function executedMigrations(orm: MikroORM): Promise<Set<unknown> | null> {
  try {
    return await executedNames(new Pools(orm));
  } catch (error) {
    if (errorCode(error) === '42P01') return null;
    throw error;
  }
}

/**
 * Whether a development version before 0.1.0 created the tables. `list` starts with the baseline, which replaced the migrations of these
 * versions.
 */
export const predatesBaseline = (executed: ReadonlySet<unknown>, list: readonly { name: string }[] = migrations): boolean =>
  executed.size > 0 && !executed.has(list[0]?.name);

/** Returns the reason why the database cannot serve requests. Null if it responds and has all migrations of this release. */
export async function notReady(pools: Pools): Promise<string | null> {
  try {
    const executed = await executedNames(pools);
    if (predatesBaseline(executed)) return 'the tables were created by a development version before 0.1.0';
    const missingNames = migrations.flatMap(({ name }) => (executed.has(name) ? [] : [name]));
    return missingNames.length > 0 ? `the database lacks migrations: ${missingNames.join(', ')}` : null;
  } catch (error) {
    return errorCode(error) === '42P01' ? 'the database has no migrations' : 'the database cannot be reached';
  }
}
