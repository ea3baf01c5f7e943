import { readSql } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';

/** One transaction at a time looks for titles of a table and writes them; the others wait until it ends. */
export async function lockTitles(sql: Session, table: string): Promise<void> {
  await sql.rows(readSql([], 'select pg_advisory_xact_lock(hashtext($1))', { isVolatile: true }), [table]);
}
