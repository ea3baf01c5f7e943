import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * Runs work in a transaction that holds a lock with this name. Other processes that use the same database wait before they run work with
 * the same name. The lock belongs to the transaction, because PgBouncer does not support session locks in transaction mode.
 */
export function runExclusively<T>(orm: MikroORM, name: string, work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
  return orm.em.fork().transactional(async (em) => {
    await em.execute('set local statement_timeout = 0');
    await em.execute('set local lock_timeout = 0');
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    await em.execute('select pg_advisory_xact_lock(hashtext(?))', [`courtside ${name}`]);
    return work(em);
  });
}

/** Throws if the connection of a transaction was lost. */
export const checkConnection = async (em: SqlEntityManager): Promise<void> => void (await em.execute('select'));
