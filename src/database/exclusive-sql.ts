import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** Returns the name of the database at the server. A pooler may use another name in connection strings. */
export const databaseName = async (em: SqlEntityManager): Promise<string> =>
  (await em.execute<{ name: string }[]>('select current_database() as name'))[0]?.name ?? '';

/**
 * Runs the work in a transaction. Other processes wait before they run work of the same name on this database. The lock belongs to the transaction,
 * because PgBouncer does not support session locks.
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
