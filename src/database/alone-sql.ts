import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';

/** The name that the database itself has, whatever a pooler before it calls it. */
export const databaseName = async (em: SqlEntityManager): Promise<string> =>
  (await em.execute<{ name: string }[]>('select current_database() as name'))[0]?.name ?? '';

/**
 * Does the work while no other process does work of the same name on this database; the others wait for their turn.
 * The lock belongs to a transaction, not to a session, so that it holds behind PgBouncer too, and goes with the process.
 */
export function alone<T>(orm: MikroORM, name: string, work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
  return orm.em.fork().transactional(async (em) => {
    await em.execute('set local statement_timeout = 0');
    await em.execute('set local lock_timeout = 0');
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    await em.execute('select pg_advisory_xact_lock(hashtext(?))', [`courtside ${name}`]);
    return work(em);
  });
}
