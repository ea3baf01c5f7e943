import type { PgBoss } from 'pg-boss';
import { sqlForReading } from '../kernel/facts.js';
import { checkedRows, is, type RowOfShape } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';
import type { Message } from './ports.js';
import { deadLetterQueue, queueSchema } from './queue-names.js';

/** Number of jobs in a queue that are in one state: waiting, active, failed (to be retried), or dead. */
const jobCount = { queue: is.text, state: is.text, count: is.number };

type JobCount = RowOfShape<typeof jobCount>;

/** Returns the number of unfinished jobs in each queue and state. Empty if the queues do not exist. */
export async function countJobs(sql: Session): Promise<JobCount[]> {
  const [queues] = await sql.rows(
    sqlForReading([], `select to_regclass('${queueSchema}.job') is not null as there`, { otherDependency: 'to_regclass' }),
    [],
    { there: is.boolean },
  );
  if (!queues?.there) return [];
  return sql.rows(
    sqlForReading(
      [`${queueSchema}.job`],
      `select name as queue, case when name = $1 then 'dead' when state = 'created' then 'waiting' when state = 'retry' then 'failed'
       else state::text end as state, count(*)::int as count
     from ${queueSchema}.job where state < 'completed' group by 1, 2`,
    ),
    [deadLetterQueue],
    jobCount,
  );
}

export type CaughtMessage = Message & { id: string; createdAt: string };

const caughtJob = { id: is.text, created_on: is.date, data: is.json<Message>() };

const caughtMessages = `
  select id, created_on, data from ${queueSchema}.job
  where name = any($1) and ($2::text is null or data->>'to' = $2)
  order by created_on desc, id desc limit 100`;

/** Reads caught messages to one recipient, or to all recipients. */
export type ReadCaughtMessages = (to: string | null) => Promise<CaughtMessage[]>;

/** Returns the 100 newest messages that were caught instead of sent. */
export async function findCaughtMessages(
  boss: PgBoss,
  kinds: readonly Message['kind'][],
  to: string | null,
): Promise<CaughtMessage[]> {
  const { rows } = await boss.getDb().executeSql(caughtMessages, [kinds, to]);
  return checkedRows(rows, caughtJob).map(({ id, created_on, data }) => ({ id, createdAt: created_on.toISOString(), ...data }));
}
