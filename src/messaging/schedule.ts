import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { failureFields } from '../kernel/database-errors.js';
import { declareQueue } from './queues.js';
import { reasonOf } from './safe-reason.js';

/** A scheduled background job. Must be idempotent and safe to run concurrently. */
export interface ScheduledJob {
  /** Name in lowercase letters and hyphens. */
  name: string;
  run(): Promise<unknown>;
}

/**
 * Schedule of background jobs. Only one of the processes that share a database runs each occurrence. A missed occurrence runs at the next
 * start.
 */
export interface Schedule {
  /** A cron expression, in UTC. */
  cron: string;
  /** Interval of schedule checks in seconds, 1 to 45. */
  checkSeconds: number;
  scheduledJobs: readonly ScheduledJob[];
}

/** Daily at 09:23 UTC, when it is night in the Americas. */
export const nightlySchedule = { cron: '23 9 * * *', checkSeconds: 30 };

const queueOf = (name: string) => `chore-${name}`;

/** Schedules the jobs on a started queue and runs the jobs that are due. Safe to run in several processes at once. */
export async function runSchedule(boss: PgBoss, { cron, checkSeconds, scheduledJobs }: Schedule, log: Logger): Promise<void> {
  for (const { name, run } of scheduledJobs) {
    const queue = queueOf(name);
    await declareQueue(boss, queue, { retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: 900 });
    await boss.schedule(queue, cron, null, { tz: 'UTC', missed: 'once' });
    await boss.work(queue, { pollingIntervalSeconds: checkSeconds }, async () => {
      await run().catch((error: unknown) => {
        log.error({ job: name, ...failureFields(error), reason: reasonOf(error) }, 'scheduled job failed, will be retried');
        throw error;
      });
      log.info({ job: name }, 'scheduled job finished');
    });
  }
}
