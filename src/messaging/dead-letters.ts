import { PgBoss } from 'pg-boss';
import { errorCode, isSqlState } from '../kernel/database-errors.js';
import type { Row } from '../kernel/declare/row.js';
import { instantOf } from '../kernel/declare/scalars/instant.js';
import { connectionOptions } from '../kernel/primary-host.js';
import { checkedRows } from '../kernel/row-shape.js';
import { StartProblem } from '../process/start-problem.js';
import { readFailedMessages, retryDeadMessages } from './failed-jobs.js';
import type { ReadRows } from './failed-jobs-sql.js';
import type { UnsentMessage } from './ports.js';
import { queueSchema } from './queue-names.js';
import { reasonOf } from './safe-reason.js';

/** Maximum number of listed messages. */
const maxListed = 1000;

/** Undelivered message, as operators see it: without its content, and with only the domain of the recipient. */
export interface StuckMessage extends Pick<UnsentMessage, 'id' | 'kind' | 'state' | 'recipient' | 'attempts'> {
  error: string;
  /** Time of the last failure, or of the next attempt. */
  when: string;
}

/** Lists and retries undelivered messages. Works without a running service. */
export interface DeadLetters {
  /** Returns the newest 1,000 messages. */
  list(): Promise<StuckMessage[]>;
  /** Moves dead letters back to their queues, from which a running service sends them. Returns the number of moved messages. */
  retry(id: string | 'all'): Promise<number>;
  close(): Promise<void>;
}

/** Opens the queues of a database. Throws a StartProblem if they cannot be read. */
export async function openDeadLetters(databaseUrl: string): Promise<DeadLetters> {
  const boss = new PgBoss({
    ...connectionOptions(databaseUrl),
    schema: queueSchema,
    max: 1,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false });
    // Errors that the database server reports are thrown unchanged, because the command line explains them.
    throw isSqlState(errorCode(error)) ? error : new StartProblem(startProblemOf(error));
  });

  const readRows: ReadRows = async ({ text }, values, shape) => {
    const { rows }: { rows: Row[] } = await boss.getDb().executeSql(text, values);
    return checkedRows(rows.map(withInstants), shape);
  };
  const range = { size: maxListed, offset: 0, isBackward: false, after: null, before: null };
  return {
    list: async () => (await readFailedMessages(readRows, range)).map(toStuckMessage),
    retry: (idOrAll) => retryDeadMessages(boss, idOrAll),
    close: () => boss.stop({ graceful: false }),
  };
}

const toStuckMessage = ({
  id,
  kind,
  state,
  recipient,
  attempts,
  reason,
  failedAt,
  nextAttemptAt,
}: UnsentMessage): StuckMessage => ({
  id,
  kind,
  state,
  recipient,
  attempts,
  error: reason,
  when: nextAttemptAt ?? failedAt,
});

/** Converts the timestamps of a row to instants. The connection of the queue returns them as dates. */
const withInstants = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value instanceof Date ? instantOf(value) : value]));

function startProblemOf(error: unknown): string {
  const reason = reasonOf(error);
  if (reason === 'pg-boss is not installed') return 'There are no messages yet: the service has not run on this database.';
  if (reason === 'pg-boss database requires migrations')
    return 'Another release of the service uses this database: use the jobs command of that release.';
  return `The database cannot be read: ${reason}.`;
}
