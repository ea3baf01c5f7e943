import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** Actual name of the database, which may differ from the name at a pooler. */
export const databaseName = async (em: SqlEntityManager): Promise<string> =>
  (await em.execute<{ name: string }[]>('select current_database() as name'))[0]?.name ?? '';

/**
 * Runs the work while no other process runs work with the same name on this database. Other processes wait. Uses a transaction
 * lock instead of a session lock, so that it works with PgBouncer and ends with the process.
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
