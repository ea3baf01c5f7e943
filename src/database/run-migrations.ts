import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import type { MigrationClass } from '../../migrations/index.js';
import { errorCode } from '../kernel/database-errors.js';
import { StartProblem } from '../process/start-problem.js';
import { checkConnection, runExclusively } from './exclusive-sql.js';
import {
  completedSteps,
  type ExecutedMigrations,
  incompatibleMigration,
  openHistory,
  recordMigration,
  recordStep,
} from './migration-history-sql.js';
import { stepsOf } from './migration-steps.js';
import { predatesBaseline } from './ready-sql.js';
import { runStep } from './run-step-sql.js';

/** Progress of the migrations of this process. */
export interface MigrationEvent {
  readonly state: 'started' | 'step' | 'waiting for a lock' | 'finished';
  readonly migration: string;
  /** Number of the step, starting at 1, and the number of steps. */
  readonly step: number;
  readonly stepCount: number;
  /** Duration since the start of the migration, in seconds. */
  readonly seconds: number;
  /** Whether the migration is part of creating a new database. */
  readonly isNewDatabase: boolean;
}

export interface MigrateOptions {
  /** Called when a migration or step starts, waits or finishes. */
  readonly report?: (event: MigrationEvent) => void;
  /** Name of the last migration to run. Default: all. */
  readonly last?: string | null;
}

/** Throws a StartProblem if this release cannot use a database with these migrations. */
export function checkHistory(executed: ExecutedMigrations, list: readonly MigrationClass[]): void {
  if (predatesBaseline(executed, list)) {
    throw new StartProblem(
      'The database was created by a development version before 0.1.0 and cannot be upgraded: export the data that you need with that ' +
        'version, delete the embedded database (the directory DATA_DIR, by default .courtside) or set DATABASE_URL to an empty database, ' +
        'and start again.',
    );
  }
  const incompatible = incompatibleMigration(executed, list);
  if (incompatible) {
    const usableVersion =
      incompatible.oldestRelease === null ? 'the newer version' : `version ${incompatible.oldestRelease} or newer`;
    throw new StartProblem(
      `The database was used by a newer version of Courtside (it has the migration ${incompatible.name}, which this version lacks): start ${usableVersion}.`,
    );
  }
}

/** Runs the pending migrations under a lock, and returns their names. Does nothing if another process has run them. */
export async function runMigrations(
  orm: MikroORM,
  list: readonly MigrationClass[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const { last = null } = options;
  const pool: Pool = await orm.em.getDriver().getConnection('write').getNativeClient();
  return runExclusively(orm, 'migrations', async (lock) => {
    const client = await pool.connect();
    try {
      const executed = await openHistory(client);
      checkHistory(executed, list);
      const end = last === null ? list.length : list.findIndex(({ name }) => name === last) + 1;
      const pending = list.slice(0, end).filter(({ name }) => !executed.has(name));
      for (const migration of pending)
        await runMigration(orm, { lock, client, isNewDatabase: executed.size === 0 }, migration, options);
      return pending.map(({ name }) => name);
    } finally {
      // Closes the connection instead of reusing it, because its session may have no timeouts.
      client.release(true);
    }
  });
}

interface Run {
  /** Transaction that holds the lock. */
  readonly lock: SqlEntityManager;
  readonly client: PoolClient;
  readonly isNewDatabase: boolean;
}

async function runMigration(
  orm: MikroORM,
  { lock, client, isNewDatabase }: Run,
  Migration: MigrationClass,
  { report = () => undefined }: MigrateOptions,
): Promise<void> {
  const { name } = Migration;
  const steps = await stepsOf(new Migration(orm.em.getDriver(), orm.config));
  const stepCount = steps.length;
  const startedAt = performance.now();
  let step = stepCount > 1 ? await completedSteps(client, name) : 0;
  const send = (state: MigrationEvent['state']) =>
    report({ state, migration: name, step: step + 1, stepCount, seconds: (performance.now() - startedAt) / 1000, isNewDatabase });
  const onLockTimeout = () => send('waiting for a lock');
  send('started');
  try {
    for (const current of steps.slice(step)) {
      if (step > 0) send('step');
      // Fails if the connection with the lock was lost, because another process may then run the same migration.
      await checkConnection(lock);
      const finish = (each: PoolClient) =>
        step + 1 === stepCount ? recordMigration(each, Migration) : recordStep(each, name, step + 1);
      await runStep(client, current, finish, onLockTimeout);
      step += 1;
    }
  } catch (error) {
    throw explainFailure(error, name, step + 1, stepCount);
  }
  step = stepCount - 1;
  send('finished');
}

/**
 * Adds the name of the migration and, for timeouts, a remedy to an error. All other remedies are added when the error is reported, because
 * they do not depend on the migration.
 */
function explainFailure(error: unknown, name: string, step: number, stepCount: number): unknown {
  if (!(error instanceof Error) || errorCode(error) === '42501') return error;
  const part = stepCount > 1 ? `Step ${step} of ${stepCount} of the migration ${name}` : `The migration ${name}`;
  if (errorCode(error) === '55P03')
    return new StartProblem(
      `${part} waited for its lock for more than five minutes (SQLSTATE 55P03): end the long transaction that blocks it (see pg_stat_activity), and run the migration again.`,
    );
  if (errorCode(error) === '57014')
    return new StartProblem(
      `${part} was canceled by a timeout of the server or the pooler (${error.message}, SQLSTATE 57014): run "courtside migrate" with a direct connection in DATABASE_URL.`,
    );
  error.message = `${part} failed: ${error.message}`;
  return error;
}
