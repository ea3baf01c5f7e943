import type { PgBoss } from 'pg-boss';
import type { Session } from '../kernel/session.js';
import { type FailedMessageRow, failedJobList, failedMessageList, type ReadRows } from './failed-jobs-sql.js';
import type { FailedJobs, FailedMessageFilter, FailedMessages, JobRange, UnsentMessage } from './ports.js';
import { deadLetterQueue } from './queue-names.js';
import { domainOf, reasonOf } from './safe-reason.js';

type Database = NonNullable<NonNullable<Parameters<PgBoss['retry']>[2]>['db']>;

const withSafeReason = <T extends { reason: string }>(row: T): T => ({ ...row, reason: reasonOf(row.reason) });

const toMessage = ({ to, ...row }: FailedMessageRow): UnsentMessage => ({
  ...withSafeReason(row),
  recipient: domainOf({ kind: row.kind, to }),
});

/** Reads a range of the messages that are dead or will be retried. */
export const readFailedMessages = async (
  readRows: ReadRows,
  range: JobRange,
  filter: FailedMessageFilter = {},
): Promise<UnsentMessage[]> => (await failedMessageList.read(readRows, range, filter)).map(toMessage);

/** Moves dead messages back to their queues, from which a running service sends them. Returns the number of moved messages. */
export async function retryDeadMessages(boss: PgBoss, idOrAll: string, options: { db?: Database } = {}): Promise<number> {
  if (idOrAll !== 'all') return boss.redrive(deadLetterQueue, { ...options, ids: [idOrAll] });
  // Limits the number of moved messages to the current number, so that messages that fail again are not moved twice.
  const { total } = await boss.previewRedrive(deadLetterQueue, options);
  let movedCount = 0;
  for (let batchCount = -1; batchCount !== 0 && movedCount < total; ) {
    batchCount = await boss.redrive(deadLetterQueue, { ...options, limit: Math.min(1000, total - movedCount) });
    movedCount += batchCount;
  }
  return movedCount;
}

/** Reads in the session of a request, from the primary, because replicas may not have the latest jobs. */
function readRowsIn(sql: Session): ReadRows {
  sql.usePrimary();
  return (statement, values, shape) => sql.rows(statement, values, shape);
}

/** Runs statements of the queue in the session of a request. */
const databaseIn = (sql: Session): { db: Database } => ({
  db: { executeSql: async (text, values = []) => ({ rows: [...(await sql.query(text, values)).rows] }) },
});

export const failedMessagesOf = (boss: PgBoss): FailedMessages => ({
  read: (sql, range, filter) => readFailedMessages(readRowsIn(sql), range, filter),
  count: (sql, filter) => failedMessageList.count(readRowsIn(sql), filter),
  retry: (sql, id) =>
    sql.transaction(async () => {
      const row = await failedMessageList.find(readRowsIn(sql), id);
      const count = row ? await retryDeadMessages(boss, id, databaseIn(sql)) : 0;
      return row && count > 0 ? toMessage(row) : null;
    }),
  retryAll: (sql) => sql.transaction(() => retryDeadMessages(boss, 'all', databaseIn(sql))),
});

export const failedJobsOf = (boss: PgBoss): FailedJobs => ({
  read: async (sql, range, filter) => (await failedJobList.read(readRowsIn(sql), range, filter)).map(withSafeReason),
  count: (sql, filter) => failedJobList.count(readRowsIn(sql), filter),
  retry: (sql, id) =>
    sql.transaction(async () => {
      const job = await failedJobList.find(readRowsIn(sql), id);
      if (!job) return null;
      await boss.retry(job.queue, id, databaseIn(sql));
      return withSafeReason(job);
    }),
  retryAll: (sql) =>
    sql.transaction(async () => {
      const jobs = await failedJobList.readAll(readRowsIn(sql));
      for (const [queue, members] of Map.groupBy(jobs, ({ queue }) => queue))
        await boss.retry(
          queue,
          members.map(({ id }) => id),
          databaseIn(sql),
        );
      return jobs.length;
    }),
});
