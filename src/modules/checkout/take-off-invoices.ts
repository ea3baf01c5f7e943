import { sql as raw, type SqlBool } from 'kysely';
import type { Session } from '../../kernel/session.js';

/**
 * Takes what was withdrawn off the invoices on which nobody has paid: the lines of entries, and all lines for registrations. The use of a
 * discount code goes with its lines. Invoices on which somebody has paid stay as they are: paying back is up to the platform.
 */
export async function takeOffInvoices(
  sql: Session,
  entryIds: readonly string[],
  registrationIds: readonly string[],
): Promise<void> {
  const invoices = sql.db
    .selectFrom('invoice as i')
    .select('i.id')
    .where((i) => {
      const paid = i.selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.id');
      return i.not(i.exists(paid.where('p.is_reversed', '=', false)));
    });
  await sql.run(
    sql.db
      .deleteFrom('invoice_item')
      .where('invoice_id', 'in', invoices)
      .where(raw<SqlBool>`(event_registration_id = any(${entryIds})
        or invoice_id in (select id from invoice where registration_id = any(${registrationIds})))`),
  );
}
