import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import type { InvoiceAmount } from './invoice.js';
import { discountType } from './invoice-lines.js';
import { isFee } from './invoice-sql.js';

const price = 'i.unit_price * i.units::numeric';
/** SQL condition that an item is a remaining purchase: neither a fee nor a discount, not withdrawn, and without a requested refund. */
const isPurchase = `not ${isFee('i')} and i.type is distinct from '${discountType}'
  and i.withdrawn_at is null and i.refund_requested_at is null`;
/** SQL condition that an item is no longer owed. If only fees and discounts remain on an invoice with `withdrawn_at`, its fees count as withdrawn. */
const isWithdrawn = `(i.withdrawn_at is not null or (${isFee('i')} and state.is_withdrawn and not purchases.remain))`;

/**
 * Returns SQL for the amounts of the invoice with this ID: at least one row, and one row per currency. An item without a currency has the
 * currency of the other items if they all have the same one. Nothing is owed for withdrawn items. The tournament keeps the payment for withdrawn
 * items without a refund request (fees, declined refunds). It keeps at most the amount paid in excess of the other items. Payments have no
 * currency, so amounts that depend on them are null for an invoice in several currencies.
 */
export const amountsOfInvoice = (id: string): string => `(
  select line.currency, line.owed + coalesce(retained.amount, 0) as total, payments.paid,
    line.owed + retained.amount - payments.paid + refund.amount as balance, refund.amount as refund
  from (select count(distinct upper(currency)) as many, min(upper(currency)) as only
    from invoice_item where invoice_id = ${id} and currency <> '') currencies
  cross join (select exists (select from invoice where id = ${id} and withdrawn_at is not null) as is_withdrawn) state
  cross join (select exists (select from invoice_item i where i.invoice_id = ${id} and ${isPurchase}) as remain) purchases
  cross join lateral (select coalesce(upper(nullif(i.currency, '')), case when currencies.many = 1 then currencies.only end) as currency,
      coalesce(sum(${price}) filter (where not ${isWithdrawn} and i.refund_requested_at is null), 0) as owed,
      coalesce(sum(${price}) filter (where ${isWithdrawn} and i.refund_requested_at is null), 0) as unrefunded,
      coalesce(sum(${price}) filter (where i.refund_requested_at is not null), 0) as requested
    from invoice_item i where i.invoice_id = ${id} group by 1
    union all select null, 0, 0, 0 where not exists (select from invoice_item where invoice_id = ${id})) line
  left join lateral (select coalesce(sum(case when is_refund then -abs(amount) else amount end), 0) as paid
    from payment where invoice_id = ${id} and not is_reversed) payments on currencies.many < 2
  cross join lateral (select case when payments.paid is not null
      then least(greatest(line.unrefunded, 0), greatest(payments.paid - line.owed, 0)) end as amount) retained
  cross join lateral (select payments.paid - line.owed - retained.amount as amount) excess
  cross join lateral (select case when payments.paid is not null
      then greatest(case when state.is_withdrawn then excess.amount else least(line.requested, excess.amount) end, 0) end as amount) refund)`;

/** Tables that invoice amounts are read from. */
export const amountTables = ['invoice', 'invoice_item', 'payment'];

const statement = `
  select invoice.n::int as n, amounts.currency, amounts.total, amounts.paid, amounts.balance, amounts.refund as "refundRequested"
  from unnest($1::text[]) with ordinality invoice(id, n)
  cross join lateral ${amountsOfInvoice('invoice.id')} amounts
  order by n, amounts.currency nulls last`;

/** Shape of a row with an amount. `n` is the position of its invoice in the list of IDs, starting at 1. */
const amountShape = {
  n: is.number,
  currency: is.orNull(is.text),
  total: is.text,
  paid: is.orNull(is.text),
  balance: is.orNull(is.text),
  refundRequested: is.orNull(is.text),
};

/**
 * Reads the amounts of invoices, in the order of the IDs: at least one per invoice, one per currency, sorted by currency. Refunds reduce
 * the paid amount, whether they are stored as positive or as negative numbers. Reversed payments do not count.
 */
export async function readAmounts(sql: Session, invoiceIds: readonly string[]): Promise<InvoiceAmount[][]> {
  const amounts = invoiceIds.map((): InvoiceAmount[] => []);
  for (const { n, ...amount } of await sql.rows(sqlForReading(amountTables, statement), [invoiceIds], amountShape))
    amounts[n - 1]?.push(amount);
  return amounts;
}
