import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { sqlForReading } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import { invoiceItemKinds } from '../choices.js';

const feeType = String(invoiceItemKinds.conversion.toStored('FEE')).toLowerCase();

/** Returns the SQL condition that the invoice item with this alias is a fee. Fees are not refunded after a withdrawal. */
export const isFee = (alias: string): string =>
  `(coalesce(${alias}.is_service_fee, false) or coalesce(lower(${alias}.type) = '${feeType}', false))`;

/** Locks an invoice until the transaction ends. Uses an advisory lock, because the invoice may not exist yet. */
export async function lockInvoice(sql: Session, invoiceId: string): Promise<void> {
  await sql.rows(
    sqlForReading([], `select pg_advisory_xact_lock(hashtext('invoice'), hashtext($1))`, {
      otherDependency: 'pg_advisory_xact_lock',
    }),
    [invoiceId],
  );
}

/**
 * Returns the SQL condition that the line `i` of the invoice `v` bills the row `r`. Withdrawn lines and lines with a requested refund bill
 * nothing. Players choose the IDs of their rows and can reuse the ID of a deleted row. A line does not bill such a row if the line is for
 * another player or purpose.
 */
const billingCondition = (isForAnotherPurpose: string) => `i.withdrawn_at is null and i.refund_requested_at is null
  and (r.created_by_id is not null and i.created_at < r.created_at
    and (v.user_id <> r.user_id or ${isForAnotherPurpose})) is not true`;

/** SQL condition that an invoice line bills the entry `r`. A line can exist before its invoice. */
export const isEntryBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from ${sql.table('invoice_item')} i left join ${sql.table('invoice')} v on v.id = i.invoice_id
  where i.event_registration_id = r.id and ${sql.raw(billingCondition('i.event_id <> r.event_id'))})`;

/** SQL condition that an invoice bills the registration `r`. */
export const isRegistrationBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from ${sql.table('invoice')} v join ${sql.table('invoice_item')} i on i.invoice_id = v.id
  where v.registration_id = r.id and ${sql.raw(billingCondition(`nullif(v.module_id, '') <> r.tournament_id`))})`;
