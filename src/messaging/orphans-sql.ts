import type { PgBoss } from 'pg-boss';
import { messageKinds, queueSchema } from './queue-names.js';

/** Interval of the check for orphaned jobs, in milliseconds. */
const checkIntervalMs = 4_000;

const statement = `
  update ${queueSchema}.job set state = 'retry', start_after = ${queueSchema}.job_now()
  where name = any($1) and state = 'active' and retry_count < retry_limit
    and heartbeat_on + heartbeat_seconds * interval '1 second' < ${queueSchema}.job_now()`;

/**
 * Requeues messages that have no recent heartbeat, because the process that was sending them has crashed. pg-boss would check only once per
 * minute, and then apply the retry delay. Returns a function that stops the checks.
 */
export function requeueOrphans(boss: PgBoss): () => void {
  // After a database outage, the next two checks are skipped, so that running processes can first update their heartbeats.
  let checksToSkip = 0;
  const checkOrphans = async () => {
    if (checksToSkip > 0) checksToSkip -= 1;
    else
      await boss
        .getDb()
        .executeSql(statement, [messageKinds])
        .catch(() => {
          checksToSkip = 2;
        });
  };
  void checkOrphans();
  const timer = setInterval(checkOrphans, checkIntervalMs).unref();
  return () => clearInterval(timer);
}
