import { readSql } from '../kernel/facts.js';
import { is, type RowOfShape } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';
import { deadLetters, schema } from './queues.js';

/** Number of jobs of a queue in one state: waiting, active, failed (to be retried), or dead. */
const jobCount = { queue: is.text, state: is.text, count: is.number };

export type JobCount = RowOfShape<typeof jobCount>;

/** Counts the unfinished jobs of a database. Empty if the queues do not exist. */
export async function countJobs(sql: Session): Promise<JobCount[]> {
  const [queues] = await sql.rows(
    readSql([], `select to_regclass('${schema}.job') is not null as there`, { otherDependency: 'to_regclass' }),
    [],
    { there: is.boolean },
  );
  if (!queues?.there) return [];
  return sql.rows(
    readSql(
      [`${schema}.job`],
      `select name as queue, case when name = $1 then 'dead' when state = 'created' then 'waiting' when state = 'retry' then 'failed'
       else state::text end as state, count(*)::int as count
     from ${schema}.job where state < 'completed' group by 1, 2`,
    ),
    [deadLetters],
    jobCount,
  );
}
