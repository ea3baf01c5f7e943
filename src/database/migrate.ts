import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { executedMigrations } from './ready-sql.js';

/**
 * Runs the pending migrations in one transaction, and returns their names. If several processes call it at the same time, one runs the
 * migrations, and the others wait.
 */
export async function migrate(orm: MikroORM, list = migrations): Promise<string[]> {
  const executed = await executedMigrations(orm);
  const knownNames = new Set(list.map(({ name }) => name));
  if (executed && executed.size === knownNames.size && knownNames.isSubsetOf(executed)) return [];
  // The migrator is loaded only if migrations are pending.
  const { runMigrations } = await import('./run-migrations.js');
  return runMigrations(orm, list);
}
