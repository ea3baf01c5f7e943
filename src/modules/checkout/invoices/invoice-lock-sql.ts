import { readSql } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';

/** Locks an invoice until the transaction ends. Uses an advisory lock, because the invoice may not exist yet. */
export async function lockInvoice(sql: Session, invoiceId: string): Promise<void> {
  await sql.rows(
    readSql([], `select pg_advisory_xact_lock(hashtext('invoice'), hashtext($1))`, { otherDependency: 'pg_advisory_xact_lock' }),
    [invoiceId],
  );
}
