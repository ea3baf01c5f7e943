import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { executedMigrations } from './ready-sql.js';

/**
 * Runs the pending migrations, all or none, and returns their names. Several processes may do so at once: the first
 * runs them, the others wait and find nothing to do.
 */
export async function migrate(orm: MikroORM, list = migrations): Promise<string[]> {
  const executed = await executedMigrations(orm);
  const known = new Set(list.map(({ name }) => name));
  if (executed && executed.size === known.size && known.isSubsetOf(executed)) return [];
  // The migrator is loaded only where it has to do something.
  const { runMigrations } = await import('./run-migrations.js');
  return runMigrations(orm, list);
}
