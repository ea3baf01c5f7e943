import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Config } from '../../config/index.js';
import { migrate, pendingMigrations } from '../../database/migrate.js';
import type { MigrationEvent } from '../../database/run-migrations.js';
import { StartProblem } from '../../process/start-problem.js';

/** Interval at which a service that does not migrate checks for migrations, in milliseconds. */
const checkIntervalMs = 500;

/** Sets the reason that `/readyz` returns. Called whenever the reason changes. */
type SetReason = (reason: string) => Promise<void>;

/**
 * Runs the pending migrations, or waits until another process has run them. Throws a StartProblem with the missing migrations if the wait
 * takes too long.
 */
export async function prepareSchema(
  orm: MikroORM,
  config: Pick<Config, 'migrate' | 'migrateWait'>,
  log: Logger,
  setReason: SetReason,
): Promise<void> {
  const pending = await pendingMigrations(orm);
  if (pending.length === 0) return;
  if (config.migrate) {
    await setReason('migrating: waiting for the migrations of another process');
    const report = (event: MigrationEvent) => {
      logEvent(log, event);
      void setReason(reasonOf(event));
    };
    await migrate(orm, undefined, { report });
  } else await waitForMigrations(orm, pending, config.migrateWait, log, setReason);
  await setReason('starting');
}

const reasonOf = ({ migration, step, stepCount }: MigrationEvent): string =>
  `migrating: ${migration}${stepCount > 1 ? `, step ${step} of ${stepCount}` : ''}`;

const messages: Readonly<Record<MigrationEvent['state'], string>> = {
  started: 'migration started',
  step: 'migration step started',
  'waiting for a lock': 'migration waits for a lock',
  finished: 'migration finished',
};

/** Logs the progress of a migration. The migrations that create a new database are logged only at level `debug`. */
function logEvent(log: Logger, { state, migration, step, stepCount, seconds, isNewDatabase }: MigrationEvent): void {
  const level = isNewDatabase ? 'debug' : state === 'waiting for a lock' ? 'warn' : 'info';
  log[level](
    {
      migration,
      ...(stepCount > 1 && state !== 'finished' ? { step, steps: stepCount } : {}),
      ...(state === 'finished' ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
    },
    messages[state],
  );
}

async function waitForMigrations(
  orm: MikroORM,
  missing: readonly string[],
  timeout: number,
  log: Logger,
  setReason: SetReason,
): Promise<void> {
  const deadline = performance.now() + timeout * 1000;
  log.info({ missing, seconds: timeout }, 'waiting for migrations, because MIGRATE is false');
  for (let pending = missing; pending.length > 0; pending = await pendingMigrations(orm)) {
    const reason = `the database lacks migrations: ${pending.join(', ')}`;
    await setReason(reason);
    if (performance.now() >= deadline)
      throw new StartProblem(
        `The service does not start, because ${reason}. Run them with "courtside migrate" as the owner of the tables, or set MIGRATE=true.`,
      );
    await sleep(checkIntervalMs);
  }
}
