import { type SqlText, sqlForReading } from '../kernel/facts.js';
import { is, type RowOfShape, type RowShape } from '../kernel/row-shape.js';
import type { JobPosition, JobRange } from './ports.js';
import { deadLetterQueue, messageKinds, queueSchema } from './queue-names.js';

/** Reads rows with a statement. Commands use the connection of the queue, and requests use their session. */
export type ReadRows = <S extends RowShape>(statement: SqlText, values: unknown[], shape: S) => Promise<RowOfShape<S>[]>;

const table = `${queueSchema}.job`;
const reason = (output: string) =>
  `coalesce(${output}->>'reason', ${output}->'value'->>'message', ${output}->>'message', ${output}->>'value', 'unknown') as reason`;
const messageQueues = messageKinds.map((kind) => `'${kind}'`).join(', ');

/** SQL query for the messages that are dead or will be retried. */
const messages = `
  select id::text, created_on as "createdAt", coalesce(source_name, name) as kind, data->>'to' as to, data->>'subject' as subject,
    case name when '${deadLetterQueue}' then 'dead' else 'retrying' end as state,
    coalesce(source_retry_count, retry_count) + 1 as attempts, ${reason('coalesce(source_output, output)')},
    case name when '${deadLetterQueue}' then created_on else coalesce(started_on, created_on) end as "failedAt",
    case name when '${deadLetterQueue}' then null else start_after end as "nextAttemptAt"
  from ${table}
  where name = '${deadLetterQueue}' and state < 'active'
    or name in (${messageQueues}) and (state = 'retry' or state = 'active' and retry_count > 0)`;

const messageShape = {
  id: is.text,
  createdAt: is.text,
  kind: is.oneOf({ mail: 0, text: 0 }),
  to: is.text,
  subject: is.orNull(is.text),
  state: is.oneOf({ dead: 0, retrying: 0 }),
  attempts: is.number,
  reason: is.text,
  failedAt: is.text,
  nextAttemptAt: is.orNull(is.text),
};

/**
 * SQL query for jobs, other than messages, whose last attempt failed. Excludes jobs whose queue has completed a later job, because the
 * later job did the work of the failed one.
 */
const otherJobs = `
  select id::text, created_on as "createdAt", name as queue, retry_count + 1 as attempts, ${reason('output')}, completed_on as "failedAt"
  from ${table} failed
  where state = 'failed' and name not in ('${deadLetterQueue}', ${messageQueues})
    and not exists (select from ${table} later where later.name = failed.name and later.state = 'completed' and later.created_on > failed.created_on)`;

const otherJobShape = {
  id: is.text,
  createdAt: is.text,
  queue: is.text,
  attempts: is.number,
  reason: is.text,
  failedAt: is.text,
};

/** A list of failed jobs, newest first. */
class JobList<S extends RowShape> {
  constructor(
    readonly text: string,
    readonly shape: S,
  ) {}

  /** Reads a range of the jobs that match all values in `filter`. */
  read(readRows: ReadRows, { size, offset, isBackward, after, before }: JobRange, filter: object): Promise<RowOfShape<S>[]> {
    const direction = isBackward ? 'asc' : 'desc';
    const keyOf = (position: JobPosition | null) => [position?.createdAt ?? null, position?.id ?? null];
    const statement = sqlForReading(
      [table],
      `select * from (${this.text}) jobs
       where ($1::timestamptz is null or ("createdAt", id) < ($1, $2)) and ($3::timestamptz is null or ("createdAt", id) > ($3, $4))
         and to_jsonb(jobs) @> $7
       order by "createdAt" ${direction}, id ${direction} limit $5 offset $6`,
    );
    return readRows(statement, [...keyOf(after), ...keyOf(before), size, offset, JSON.stringify(filter)], this.shape);
  }

  readAll(readRows: ReadRows): Promise<RowOfShape<S>[]> {
    return readRows(sqlForReading([table], `select * from (${this.text}) jobs`), [], this.shape);
  }

  async find(readRows: ReadRows, id: string): Promise<RowOfShape<S> | null> {
    const statement = sqlForReading([table], `select * from (${this.text}) jobs where id = $1`);
    return (await readRows(statement, [id], this.shape))[0] ?? null;
  }

  async count(readRows: ReadRows, filter: object): Promise<number> {
    const statement = sqlForReading([table], `select count(*)::int as count from (${this.text}) jobs where to_jsonb(jobs) @> $1`);
    return (await readRows(statement, [JSON.stringify(filter)], { count: is.number }))[0]?.count ?? 0;
  }
}

export const failedMessageList = new JobList(messages, messageShape);
export const failedJobList = new JobList(otherJobs, otherJobShape);

const queueShape = {
  queue: is.text,
  waiting: is.number,
  active: is.number,
  retrying: is.number,
  failed: is.number,
  oldestWaiting: is.orNull(is.number),
};

/**
 * Query for the number of jobs in each queue, and for the age of the oldest due job in seconds. `failed` is the number of dead messages and
 * of other jobs whose last attempt failed.
 */
const queueCounts = sqlForReading(
  [table, `${queueSchema}.queue`],
  `select q.name as queue, unfinished.*, coalesce(dead.count, 0) + coalesce(failed.count, 0) as failed
   from ${queueSchema}.queue q
   cross join lateral (
     select count(*) filter (where state = 'created')::int as waiting, count(*) filter (where state = 'active')::int as active,
       count(*) filter (where state = 'retry')::int as retrying,
       extract(epoch from clock_timestamp() - min(start_after) filter (where state < 'active' and start_after <= clock_timestamp()))::float8
         as "oldestWaiting"
     from ${table} where name = q.name and state < 'completed') unfinished
   left join (select kind, count(*)::int from (${messages}) m where state = 'dead' group by kind) dead on dead.kind = q.name
   left join (select queue, count(*)::int from (${otherJobs}) j group by queue) failed on failed.queue = q.name
   where q.name <> '${deadLetterQueue}' and q.name not like '\\_\\_%'
   order by q.name`,
  { otherDependency: 'clock_timestamp' },
);

/** Reads the state of all queues, except the internal ones of the library. */
export const readQueues = (readRows: ReadRows): Promise<RowOfShape<typeof queueShape>[]> => readRows(queueCounts, [], queueShape);

export type FailedMessageRow = RowOfShape<typeof messageShape>;
