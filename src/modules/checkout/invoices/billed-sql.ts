import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a line `i` of an invoice `v` bills the row `r` that it refers to. Withdrawn lines and lines with a requested refund do not. Players choose
 * the IDs of their rows: a line does not bill a later row with the ID of a deleted one, if that row is for another player or purpose.
 */
const bills = (isForAnotherPurpose: string) => `i.withdrawn_at is null and i.refund_requested_at is null
  and (r.created_by_id is not null and i.created_at < r.created_at
    and (v.user_id <> r.user_id or ${isForAnotherPurpose})) is not true`;

/** Whether an invoice line bills the entry `r`. A line can exist before its invoice. */
export const isEntryBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from ${sql.table('invoice_item')} i left join ${sql.table('invoice')} v on v.id = i.invoice_id
  where i.event_registration_id = r.id and ${sql.raw(bills('i.event_id <> r.event_id'))})`;

/** Whether an invoice bills the registration `r`. */
export const isRegistrationBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from ${sql.table('invoice')} v join ${sql.table('invoice_item')} i on i.invoice_id = v.id
  where v.registration_id = r.id and ${sql.raw(bills(`nullif(v.module_id, '') <> r.tournament_id`))})`;
