import { sqlForReading } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';

/** Locks the titles in a table until the transaction ends. Other callers wait. */
export async function lockTitles(sql: Session, table: string): Promise<void> {
  await sql.rows(sqlForReading([], 'select pg_advisory_xact_lock(hashtext($1))', { otherDependency: 'pg_advisory_xact_lock' }), [
    table,
  ]);
}
