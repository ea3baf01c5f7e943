import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** Pause between attempts to get a lock, in milliseconds. */
const pauseMs = 100;

/**
 * Waits for a lock by trying repeatedly. A single statement that waits for the lock would hold a snapshot, and `create index concurrently`
 * waits for all older snapshots. If the process with the lock then created an index, both would wait forever.
 */
async function waitForLock(em: SqlEntityManager, name: string): Promise<void> {
  const isLocked = async () => {
    const rows = await em.execute('select pg_try_advisory_xact_lock(hashtext(?)) as "isLocked"', [`courtside ${name}`]);
    return rows[0]?.isLocked === true;
  };
  while (!(await isLocked())) await sleep(pauseMs);
}

/**
 * Runs work in a transaction that holds a lock with this name. Other processes that use the same database wait before they run work with
 * the same name. The lock belongs to the transaction, because PgBouncer does not support session locks in transaction mode.
 */
export function runExclusively<T>(orm: MikroORM, name: string, work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
  return orm.em.fork().transactional(async (em) => {
    await em.execute('set local statement_timeout = 0');
    await em.execute('set local lock_timeout = 0');
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    await waitForLock(em, name);
    return work(em);
  });
}

/** Throws if the connection of a transaction was lost. */
export const checkConnection = async (em: SqlEntityManager): Promise<void> => void (await em.execute('select'));
