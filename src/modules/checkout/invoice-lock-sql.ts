import type { Session } from '../../kernel/session.js';

/** Holds an invoice until the transaction ends; the invoice itself may not be there yet, so that there is no row to lock. */
export async function lockInvoice(sql: Session, invoiceId: string): Promise<void> {
  await sql.rows(`select pg_advisory_xact_lock(hashtext('invoice'), hashtext($1))`, [invoiceId]);
}
