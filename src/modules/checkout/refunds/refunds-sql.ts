import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { is, type RowOfShape } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { amountsOfInvoice, amountTables } from '../invoices/invoice-amounts-sql.js';

/**
 * Returns the SQL for refunds of entries or registrations, one per invoice. A refund is the sum of the items that were withdrawn together,
 * limited to the refund of the invoice.
 */
const statement = (key: string) => `
  select withdrawn.key, withdrawn.invoice_id as "invoiceId", least(withdrawn.requested, amounts.refund) as amount, withdrawn.currency
  from (select w.key, w.invoice_id, max(upper(i.currency)) as currency, sum(i.unit_price * i.units::numeric) as requested
    from (select distinct ${key} as key, l.invoice_id, l.refund_requested_at as at
      from invoice_item l join invoice v on v.id = l.invoice_id
      where ${key} = any($1) and l.refund_requested_at is not null and ($2::text is null or v.user_id = $2)) w
    join invoice_item i on i.invoice_id = w.invoice_id and i.refund_requested_at = w.at
    group by 1, 2) withdrawn
  cross join lateral ${amountsOfInvoice('withdrawn.invoice_id')} amounts
  where amounts.refund > 0 and withdrawn.requested > 0
  order by withdrawn.key, withdrawn.invoice_id`;

const statements = { entry: statement('l.event_registration_id'), registration: statement('v.registration_id') };

const refundShape = { key: is.text, invoiceId: is.text, amount: is.text, currency: is.orNull(is.text) };

/** Reads the refunds of withdrawn entries or registrations, in the order of `ids`. Users see only refunds on their own invoices. */
export async function readRefunds(
  sql: Session,
  target: keyof typeof statements,
  ids: readonly string[],
  { platform, user }: Caller,
): Promise<RowOfShape<typeof refundShape>[][]> {
  const rows = await sql.rows(
    sqlForReading(amountTables, statements[target]),
    [ids, platform ? null : (user?.id ?? '')],
    refundShape,
  );
  return ids.map((id) => rows.filter(({ key }) => key === id));
}
