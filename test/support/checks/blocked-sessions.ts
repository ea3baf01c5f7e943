import type { TestApp } from '../servers/app.js';

/** Number of sessions of a database that wait for a lock. Also works inside a transaction. */
export async function blockedSessions(sql: TestApp['sql']): Promise<number> {
  // A transaction reads pg_stat_activity from a snapshot until the snapshot is cleared.
  await sql.rows('select pg_stat_clear_snapshot()');
  const row = await sql.row<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
