import { type ExpressionBuilder, sql as raw, type SqlBool } from 'kysely';
import type { Session, Tables } from '../../kernel/session.js';
import { supersedeRequests } from './supersede-requests.js';

type Lines = ExpressionBuilder<Tables & { i: Tables['invoice_item'] }, 'i'>;

const isPaid = ({ exists, selectFrom }: Lines) =>
  exists(
    selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.invoice_id').where('p.is_reversed', '=', false),
  );

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
  const gone = ({ exists, selectFrom }: Lines) =>
    exists(
      selectFrom('invoice as v')
        .select('v.id')
        .whereRef('v.id', '=', 'i.invoice_id')
        .where(raw<SqlBool>`(i.event_registration_id = any(${entryIds}) or v.registration_id = any(${registrationIds}))`),
    );
  const deleted = await sql.run(
    sql.db
      .deleteFrom('invoice_item as i')
      .where(gone)
      .where((lines) => lines.not(isPaid(lines)))
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
