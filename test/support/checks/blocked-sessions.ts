import type { TestApp } from '../servers/app.js';

/** Returns the number of sessions of the database that wait for a lock. Also works inside a transaction. */
export async function blockedSessions(sql: TestApp['sql']): Promise<number> {
  // A transaction caches pg_stat_activity in a snapshot until the snapshot is cleared.
  await sql.rows('select pg_stat_clear_snapshot()');
  const row = await sql.row<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
