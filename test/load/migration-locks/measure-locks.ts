import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Interval of the samples in milliseconds. */
const interval = 3;

/** Longest times of the locks that block reads or writes of a table, in milliseconds. */
export interface LockTimes {
  /** Longest time that one transaction held such a lock. */
  readonly longestHold: number;
  /** Longest time that one transaction waited for such a lock. Later requests also waited during this time. */
  readonly longestWait: number;
}

/** Row locks are excluded. They delay only writes of the same rows, which is visible in the duration of the slowest write. */
const query = `
  select virtualtransaction as transaction, granted from pg_locks
  where locktype = 'relation' and relation = $1::regclass and database = (select oid from pg_database where datname = current_database())
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/** Samples the locks of a table. The returned function stops the sampling and returns the longest times. */
export async function measureLocks(url: string, table: string): Promise<() => Promise<LockTimes>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  /** Start of each current lock, keyed by transaction and state. */
  let starts = new Map<string, number>();
  let [longestHold, longestWait] = [0, 0];
  let isStopped = false;
  const sample = async () => {
    const { rows } = await client.query({ name: 'locks', text: query, values: [table] });
    const now = performance.now();
    const current = new Map<string, number>();
    for (const { transaction, granted } of rows) {
      const key = `${transaction} ${granted}`;
      const start = starts.get(key) ?? now;
      current.set(key, start);
      if (granted) longestHold = Math.max(longestHold, now - start);
      else longestWait = Math.max(longestWait, now - start);
    }
    starts = current;
  };
  const sampling = (async () => {
    for (; !isStopped; await sleep(interval)) await sample();
  })();
  return async () => {
    isStopped = true;
    await sampling;
    await client.end();
    return { longestHold, longestWait };
  };
}
