import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { failureFields } from '../kernel/database-errors.js';
import { oncePerMinute } from '../kernel/monitoring/once-per-minute.js';
import { connectionOptions } from '../kernel/primary-host.js';
import { connectionCounts, jobConnectionCounts } from '../process/connection-counts.js';
import type { Message } from './ports.js';
import { deadLetterQueue, messageKinds, queueSchema } from './queue-names.js';

export interface RetryPolicy {
  /** Number of retries. */
  limit: number;
  /**
   * Minimum delay before the first retry in seconds. Doubles with each retry. Random jitter extends each delay to at most twice its length.
   */
  delaySeconds: number;
  maxDelaySeconds: number;
}

/** Retries for about one day, with delays from 15 seconds to one hour. */
export const defaultRetry: RetryPolicy = { limit: 30, delaySeconds: 15, maxDelaySeconds: 3600 };

/**
 * Heartbeat interval of active jobs, and the time without a heartbeat after which a job is orphaned, both in seconds. pg-boss accepts no
 * orphan timeout below 10 seconds.
 */
export const heartbeatSeconds = 2;
const orphanTimeoutSeconds = 10;

const hour = 3600;
const day = 24 * hour;

/**
 * Creates the job queue of a database without starting it. Errors of the queue are logged at most once per minute. `checkSeconds` is the
 * interval at which schedules are checked. If `sendsMessages` is false, the process only enqueues jobs and does not maintain the queues.
 */
export function createBoss(
  databaseUrl: string,
  log: Logger,
  { checkSeconds, sendsMessages = true }: { checkSeconds?: number | undefined; sendsMessages?: boolean } = {},
): PgBoss {
  const boss = new PgBoss({
    ...connectionOptions(databaseUrl),
    application_name: 'courtside messaging',
    max: connectionCounts.queue + (sendsMessages ? jobConnectionCounts.sending : 0),
    ...(sendsMessages ? {} : { migrate: false, supervise: false }),
    schema: queueSchema,
    schedule: checkSeconds !== undefined,
    ...(checkSeconds === undefined ? {} : { cronMonitorIntervalSeconds: checkSeconds, cronWorkerIntervalSeconds: checkSeconds }),
    maintenanceIntervalSeconds: 600,
  });
  boss.on(
    'error',
    oncePerMinute((error) => log.warn(failureFields(error), 'message queue error')),
  );
  boss.on('warning', ({ message }) => log.warn(message));
  return boss;
}

/**
 * Creates or updates the queues. Safe to run in several processes at once. Sent messages are deleted after one hour, because they
 * contain one-time links. Caught messages are deleted after one week.
 */
export async function declareQueues(boss: PgBoss, retry: RetryPolicy, caughtKinds: readonly Message['kind'][]): Promise<void> {
  await declareQueue(boss, deadLetterQueue, { retentionSeconds: 30 * day, retryLimit: 0 });
  for (const kind of messageKinds) {
    await declareQueue(boss, kind, {
      deadLetter: deadLetterQueue,
      retryLimit: retry.limit,
      retryDelay: retry.delaySeconds,
      retryDelayMax: retry.maxDelaySeconds,
      retryBackoff: true,
      retentionSeconds: 14 * day,
      deleteAfterSeconds: caughtKinds.includes(kind) ? 7 * day : hour,
      expireInSeconds: 900,
      heartbeatSeconds: orphanTimeoutSeconds,
    });
  }
}

/** Creates a queue or updates the options of an existing one. */
export async function declareQueue(
  boss: PgBoss,
  name: string,
  options: NonNullable<Parameters<PgBoss['createQueue']>[1]>,
): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}
