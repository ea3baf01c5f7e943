import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a line `i` of an invoice `v` bills a row `r` that it names. A line does not if it is withdrawn or its refund was requested. Players choose the IDs of
 * their rows, so a line does not bill a row that a user created later under the ID of a deleted one, for another player or another purpose.
 */
const bills = (isForAnotherPurpose: string) => `i.withdrawn_at is null and i.refund_requested_at is null
  and (r.created_by_id is not null and i.created_at < r.created_at
    and (v.user_id <> r.user_id or ${isForAnotherPurpose})) is not true`;

/** Whether an invoice bills the entry `r`. The invoice of a line may not have arrived yet. */
export const isEntryBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from invoice_item i left join invoice v on v.id = i.invoice_id
  where i.event_registration_id = r.id and ${sql.raw(bills('i.event_id <> r.event_id'))})`;

/** Whether an invoice bills the registration `r`. */
export const isRegistrationBilled: RawBuilder<SqlBool> = sql<SqlBool>`exists (
  select from invoice v join invoice_item i on i.invoice_id = v.id
  where v.registration_id = r.id and ${sql.raw(bills(`nullif(v.module_id, '') <> r.tournament_id`))})`;
