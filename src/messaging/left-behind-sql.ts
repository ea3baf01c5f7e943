import type { PgBoss } from 'pg-boss';
import { kinds, schema } from './queues.js';

/** How often one looks for what was left behind, in milliseconds. */
const pause = 4_000;

const statement = `
  update ${schema}.job set state = 'retry', start_after = ${schema}.job_now()
  where name = any($1) and state = 'active' and retry_count < retry_limit
    and heartbeat_on + heartbeat_seconds * interval '1 second' < ${schema}.job_now()`;

/**
 * Puts messages back at once whose process has gone while it sent them: the queue itself looks once a minute, and then has them wait as if they had
 * failed. Those that a living process is at work on stay with it. Gives what stops it.
 */
export function takeUpLeftBehind(boss: PgBoss): () => void {
  // After the database was away, heartbeats come first.
  let rounds = 0;
  const look = async () => {
    if (rounds > 0) rounds -= 1;
    else
      await boss
        .getDb()
        .executeSql(statement, [kinds])
        .catch(() => {
          rounds = 2;
        });
  };
  void look();
  const timer = setInterval(look, pause).unref();
  return () => clearInterval(timer);
}
