import { setTimeout as sleep } from 'node:timers/promises';
import { getConstructionPlans, getMigrationPlans, PgBoss } from 'pg-boss';
import { connectionOptions } from '../kernel/primary-host.js';
import { StartProblem } from '../process/start-problem.js';
import { queueSchema } from './queue-names.js';

/** Interval at which the background work of pg-boss is checked, in milliseconds. */
const checkIntervalMs = 200;

/**
 * Creates or updates the tables of the job queue. Must run as the owner of the database. Afterwards, processes that use the queue need no
 * privilege to change tables.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ ...connectionOptions(databaseUrl), schema: queueSchema, max: 2, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
    // After an update of the tables, pg-boss builds the indexes in the background.
    for (;;) {
      const counts = await boss.getBamStatus();
      if (counts.some(({ status }) => status === 'failed'))
        throw new StartProblem('pg-boss could not build an index of the job queue: see the table jobs.bam.');
      if (counts.every(({ status }) => status === 'completed')) return;
      await sleep(checkIntervalMs);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Returns the SQL that creates the tables of the job queue, or that updates them from an older version. */
export const queueMigrationSql = (version: number | null): string =>
  version === null ? getConstructionPlans(queueSchema) : getMigrationPlans(queueSchema, version);
