import type { MikroORM } from '@mikro-orm/postgresql';
import { type MigrationClass, migrations } from '../../migrations/index.js';
import { Pools, Session } from '../kernel/session.js';
import { isQueueCurrent } from '../messaging/queue-version-sql.js';
import { executedMigrations } from './ready-sql.js';
import { checkHistory, type MigrateOptions, runMigrations } from './run-migrations.js';

/** Name that represents the tables of the job queue in lists of missing migrations. */
export const jobQueue = 'job queue';

/**
 * Returns the names of the pending migrations, and `job queue` if its tables are missing or outdated. Throws a StartProblem if this release
 * cannot use the database.
 */
export async function pendingMigrations(orm: MikroORM, list: readonly MigrationClass[] = migrations): Promise<string[]> {
  const executed = (await executedMigrations(orm)) ?? new Map();
  checkHistory(executed, list);
  const names = list.map(({ name }) => name).filter((name) => !executed.has(name));
  return (await isQueueCurrent(new Session(new Pools(orm), 'write'))) ? names : [...names, jobQueue];
}

/**
 * Runs the pending migrations, each in its own transaction or as steps, and returns their names. Then creates or updates the tables of the
 * job queue, unless `last` is set. If several processes call this function at the same time, one runs the migrations, and the others wait.
 */
export async function migrate(orm: MikroORM, list = migrations, options: MigrateOptions = {}): Promise<string[]> {
  const pending = await pendingMigrations(orm, list);
  const names = pending.some((name) => name !== jobQueue) ? await runMigrations(orm, list, options) : [];
  if (pending.includes(jobQueue) && !options.last) {
    // This code is imported only if needed, because it loads the library of the queue.
    const { migrateQueue } = await import('../messaging/migrate-queue.js');
    await migrateQueue(orm.config.get('clientUrl') ?? '');
  }
  return names;
}
