import { sql as raw, type SqlBool } from 'kysely';
import type { Session } from '../../kernel/session.js';
import { supersedeRequests } from './supersede-requests.js';

const isPaid = raw<SqlBool>`exists (select from payment p where p.invoice_id = i.invoice_id and not p.is_reversed)`;

/**
 * Takes what was withdrawn off the invoices: the lines of entries, and all lines for registrations. Where nobody has paid they are deleted, and the
 * use of a discount code goes with its lines; where somebody has, they stay, and it is noted that a refund of them is asked for. Paying it back
 * is up to the platform.
 */
export async function takeOffInvoices(
  sql: Session,
  entryIds: readonly string[],
  registrationIds: readonly string[],
): Promise<void> {
  const gone = raw<SqlBool>`exists (select from invoice v where v.id = i.invoice_id) and (i.event_registration_id = any(${entryIds})
    or i.invoice_id in (select id from invoice where registration_id = any(${registrationIds})))`;
  const deleted = await sql.run(
    sql.db
      .deleteFrom('invoice_item as i')
      .where(gone)
      .where(({ not }) => not(isPaid))
      .returning('i.invoice_id as invoiceId'),
  );
  await supersedeRequests(sql, [...new Set(deleted.flatMap(({ invoiceId }) => invoiceId ?? []))], null);
  await sql.run(
    sql.db
      .updateTable('invoice_item as i')
      .set({ refund_requested_at: raw`now()`, updated_at: raw`clock_timestamp()` })
      .where('i.refund_requested_at', 'is', null)
      .where(gone)
      .where(isPaid),
  );
}
