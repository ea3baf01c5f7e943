import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { declareQueue } from './queues.js';
import { reasonOf } from './without-secrets.js';

/** Work without a message. Done again, or twice at the same moment, it changes nothing. */
export interface Chore {
  /** Lower case, with hyphens. */
  name: string;
  run(): Promise<unknown>;
}

/** When chores are done: by one of the processes on a database each time, and by the next one that starts when none was up. */
export interface Timetable {
  /** A cron expression, in UTC. */
  cron: string;
  /** Pause between two looks at the clock, 1 to 45. */
  lookSeconds: number;
  chores: readonly Chore[];
}

/** Every night, when the Americas sleep. */
export const nightly = { cron: '23 9 * * *', lookSeconds: 30 };

const queueOf = (name: string) => `chore-${name}`;

/** Puts the chores into the queues of a started boss and takes part in doing them. Safe in several processes at once. */
export async function keepTimetable(boss: PgBoss, { cron, lookSeconds, chores }: Timetable, log: Logger): Promise<void> {
  for (const { name, run } of chores) {
    const queue = queueOf(name);
    await declareQueue(boss, queue, { retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: 900 });
    await boss.schedule(queue, cron, null, { tz: 'UTC', missed: 'once' });
    await boss.work(queue, { pollingIntervalSeconds: lookSeconds }, async () => {
      await run().catch((error: unknown) => {
        log.error({ chore: name, reason: reasonOf(error) }, 'work of the timetable failed, will be tried again');
        throw error;
      });
      log.info({ chore: name }, 'work of the timetable done');
    });
  }
}
