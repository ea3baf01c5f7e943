import { PgBoss } from 'pg-boss';
import { errorCode, isSqlState } from '../kernel/database-errors.js';
import { connectionOptions } from '../kernel/primary-host.js';
import { StartProblem } from '../process/start-problem.js';
import { findStuck, type StuckJob } from './jobs-sql.js';
import { deadLetters, schema } from './queue-names.js';
import { domainOf, reasonOf } from './safe-reason.js';

/** An undelivered message as shown to operators: without its content, and with only the domain of the recipient. */
export interface StuckMessage extends Omit<StuckJob, 'to' | 'when'> {
  recipient: string;
  /** Time of the last failure, or of the next attempt. */
  when: string;
}

/** Lists and retries undelivered messages. Works without a running service. */
export interface DeadLetters {
  list(): Promise<StuckMessage[]>;
  /** Moves dead letters back to their queues, from which a running service sends them. Returns their number. */
  retry(id: string | 'all'): Promise<number>;
  close(): Promise<void>;
}

/** Opens the queues of a database. Throws a StartProblem if they cannot be read. */
export async function openDeadLetters(databaseUrl: string): Promise<DeadLetters> {
  const boss = new PgBoss({
    ...connectionOptions(databaseUrl),
    schema,
    max: 1,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false });
    // `npm run` explains errors of the database.
    throw isSqlState(errorCode(error)) ? error : new StartProblem(startProblemOf(error));
  });

  async function list(): Promise<StuckMessage[]> {
    return (await findStuck(boss)).map(({ id, kind, state, to, attempts, error, when }) => ({
      id,
      kind,
      state,
      recipient: domainOf({ kind, to }),
      attempts,
      error: reasonOf(error),
      when: when.toISOString(),
    }));
  }

  async function retry(idOrAll: string): Promise<number> {
    if (idOrAll !== 'all') return boss.redrive(deadLetters, { ids: [idOrAll] });
    // Limits the number of moved messages to the current number, so that messages that fail again are not moved twice.
    const { total } = await boss.previewRedrive(deadLetters);
    let movedCount = 0;
    for (let batchCount = -1; batchCount !== 0 && movedCount < total; ) {
      batchCount = await boss.redrive(deadLetters, { limit: Math.min(1000, total - movedCount) });
      movedCount += batchCount;
    }
    return movedCount;
  }

  return { list, retry, close: () => boss.stop({ graceful: false }) };
}

function startProblemOf(error: unknown): string {
  const reason = reasonOf(error);
  if (reason === 'pg-boss is not installed') return 'There are no messages yet: the service has not run on this database.';
  if (reason === 'pg-boss database requires migrations')
    return 'Another release of the service uses this database: use the jobs command of that release.';
  return `The database cannot be read: ${reason}.`;
}
