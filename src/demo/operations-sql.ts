import { sqlForReading, sqlForWriting } from '../kernel/facts.js';
import { is } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';
import { deadLetterQueue, queueSchema } from '../messaging/queue-names.js';

/** Whether the database has the tables of the job queue. */
export async function hasQueue(sql: Session): Promise<boolean> {
  const [row] = await sql.rows(
    sqlForReading([], `select to_regclass('${queueSchema}.job') is not null as there`, { otherDependency: 'to_regclass' }),
    [],
    { there: is.boolean },
  );
  return row?.there === true;
}

/** Job that failed and is not retried. */
export interface FailedJobDraft {
  readonly queue: string;
  /** Queue from which a message was moved to the dead letters. */
  readonly source: string | null;
  readonly data: unknown;
  readonly attempts: number;
  readonly reason: string;
  readonly failedAt: string;
}

/** Inserts failed jobs, and creates their queues if they are missing. The service sets the options of the queues when it starts. */
export async function insertFailedJobs(sql: Session, drafts: readonly FailedJobDraft[]): Promise<void> {
  const queues = [...new Set(drafts.flatMap(({ queue, source }) => (source === null ? [queue] : [queue, source])))];
  await sql.rows(
    sqlForWriting(
      [`${queueSchema}.queue`],
      `select ${queueSchema}.create_queue(name, '{"policy": "standard"}') from unnest($1::text[]) name`,
    ),
    [queues],
  );
  await sql.rows(
    sqlForWriting(
      [`${queueSchema}.job`],
      `insert into ${queueSchema}.job (name, data, state, created_on, completed_on, keep_until, retry_count, output, source_name, source_retry_count, source_output)
       select queue, data, (case queue when '${deadLetterQueue}' then 'created' else 'failed' end)::${queueSchema}.job_state, "failedAt",
         case queue when '${deadLetterQueue}' then null else "failedAt" end, now() + interval '30 days', attempts - 1,
         jsonb_build_object('reason', reason), source, case when source is null then null else attempts - 1 end,
         case when source is null then null else jsonb_build_object('reason', reason) end
       from jsonb_to_recordset($1::jsonb) as draft(queue text, source text, data jsonb, attempts int, reason text, "failedAt" timestamptz)`,
    ),
    [JSON.stringify(drafts)],
  );
}
