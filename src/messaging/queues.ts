import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Message } from './ports.js';

/** The database schema of the queue. */
export const schema = 'jobs';
/** Each kind of message has a queue of its name. */
export const kinds = ['mail', 'text'] as const satisfies Message['kind'][];
/** Where messages go that were refused for good or failed too often; nothing but an operator takes them out. */
export const deadLetters = 'dead';

export interface RetryPolicy {
  /** Attempts after the first. */
  limit: number;
  /** Pause before the first retry; it doubles each time, with jitter. */
  delaySeconds: number;
  maxDelaySeconds: number;
}

/** From half a minute to an hour apart, for about a day. */
export const patient: RetryPolicy = { limit: 30, delaySeconds: 15, maxDelaySeconds: 3600 };

/** A process that is at work on a job says so that often; after `silence` nobody is, both in seconds. The queue takes no shorter silence. */
export const heartbeat = 2;
const silence = 10;

const hour = 3600;
const day = 24 * hour;

/**
 * The job queue on a database, not yet started; its troubles are logged at most once a minute. With `lookSeconds` it looks that often whether
 * something of a timetable is due. One that does not work leaves jobs, and neither makes nor tends the queues.
 */
export function createBoss(
  databaseUrl: string,
  log: Logger,
  { lookSeconds, works = true }: { lookSeconds?: number | undefined; works?: boolean } = {},
): PgBoss {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'courtside messaging',
    max: works ? 2 : 1,
    ...(works ? {} : { migrate: false, supervise: false }),
    schema,
    schedule: lookSeconds !== undefined,
    ...(lookSeconds === undefined ? {} : { cronMonitorIntervalSeconds: lookSeconds, cronWorkerIntervalSeconds: lookSeconds }),
    maintenanceIntervalSeconds: 600,
  });
  boss.on(
    'error',
    oncePerMinute((error) => log.warn({ reason: error.message }, 'the message queue has a problem')),
  );
  boss.on('warning', ({ message }) => log.warn(message));
  return boss;
}

/** A database that is away fails every poll with the same words. */
function oncePerMinute(report: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + 60_000;
    report(error);
  };
}

/**
 * Declares the queues, or brings those of an earlier release up to date. Safe in several processes at once.
 * What was sent is kept for an hour only, because it holds one-time links; what was caught, for a week.
 */
export async function declareQueues(boss: PgBoss, retry: RetryPolicy, caught: readonly Message['kind'][]): Promise<void> {
  await declareQueue(boss, deadLetters, { retentionSeconds: 30 * day, retryLimit: 0 });
  for (const kind of kinds) {
    await declareQueue(boss, kind, {
      deadLetter: deadLetters,
      retryLimit: retry.limit,
      retryDelay: retry.delaySeconds,
      retryDelayMax: retry.maxDelaySeconds,
      retryBackoff: true,
      retentionSeconds: 14 * day,
      deleteAfterSeconds: caught.includes(kind) ? 7 * day : hour,
      expireInSeconds: 900,
      heartbeatSeconds: silence,
    });
  }
}

/** Declares one queue, or gives one that is there these options. */
export async function declareQueue(
  boss: PgBoss,
  name: string,
  options: NonNullable<Parameters<PgBoss['createQueue']>[1]>,
): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}
