import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import type { InvoiceAmount } from './invoice-amount.js';

/** An item that names no currency is in the one that the others name, if it is one. */
const statement = `
  select invoice.n::int as n, line.currency, line.total, payments.paid, line.total - payments.paid as balance,
    greatest(least(line.asked, payments.paid - line.total + line.asked), 0) as "refundRequested"
  from unnest($1::text[]) with ordinality invoice(id, n)
  cross join lateral (select count(distinct upper(currency)) as many, min(upper(currency)) as only
    from invoice_item where invoice_id = invoice.id and currency <> '') named
  cross join lateral (select coalesce(upper(nullif(currency, '')), case when named.many = 1 then named.only end) as currency,
      coalesce(sum(unit_price * units::numeric), 0) as total,
      coalesce(sum(unit_price * units::numeric) filter (where refund_requested_at is not null), 0) as asked
    from invoice_item where invoice_id = invoice.id group by 1
    union all select null, 0, 0 where not exists (select from invoice_item where invoice_id = invoice.id)) line
  left join lateral (select coalesce(sum(case when is_refund then -abs(amount) else amount end), 0) as paid
    from payment where invoice_id = invoice.id and not is_reversed) payments on named.many < 2
  order by n, line.currency nulls last`;

/** An amount and the number of its invoice among those that were asked for, from 1. */
const line = {
  n: is.number,
  currency: is.orNull(is.text),
  total: is.text,
  paid: is.orNull(is.text),
  balance: is.orNull(is.text),
  refundRequested: is.orNull(is.text),
};

/**
 * The amounts of some invoices, in their order: one a currency, by its name, and at least one an invoice. A refund counts against what
 * was paid, whatever its sign; a reversed payment does not count.
 */
export async function readAmounts(sql: Session, invoiceIds: readonly string[]): Promise<InvoiceAmount[][]> {
  const amounts = invoiceIds.map((): InvoiceAmount[] => []);
  for (const { n, ...amount } of await sql.rows(statement, [invoiceIds], line)) amounts[n - 1]?.push(amount);
  return amounts;
}
