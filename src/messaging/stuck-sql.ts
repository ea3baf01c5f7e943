import type { PgBoss } from 'pg-boss';
import type { Message } from './ports.js';
import { deadLetters, kinds, schema } from './queues.js';

/** A job with an undelivered message. */
export interface StuckJob {
  id: string;
  kind: Message['kind'];
  state: 'dead' | 'retrying';
  to: string;
  attempts: number;
  error: string;
  /** Time of the last failure, or of the next attempt. */
  when: Date;
}

const statement = `
  select id, coalesce(source_name, name) as kind, case name when $1 then 'dead' else 'retrying' end as state,
    data->>'to' as to, coalesce(source_retry_count, retry_count) + 1 as attempts,
    coalesce(failure->>'reason', failure->'value'->>'message', failure->>'message', failure->>'value', 'unknown') as error,
    case name when $1 then created_on else start_after end as when
  from ${schema}.job, coalesce(source_output, output) as failure
  where name = $1 and state < 'active' or name = any($2) and (state = 'retry' or state = 'active' and retry_count > 0)
  order by created_on desc, id limit 1000`;

/** Returns the 1,000 newest jobs that are dead or will be retried. */
export async function findStuck(boss: PgBoss): Promise<StuckJob[]> {
  const { rows }: { rows: StuckJob[] } = await boss.getDb().executeSql(statement, [deadLetters, kinds]);
  return rows;
}
