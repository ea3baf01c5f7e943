import type { Sql } from '../../kernel/sql.js';

/** What an invoice comes to, exact decimals as text. */
export interface Amounts {
  total: string;
  paid: string;
  balance: string;
}

const statement = `
  select total, paid, total - paid as balance
  from unnest($1::text[]) with ordinality invoice(id, n)
  cross join lateral (select coalesce(sum(unit_price * units::numeric), 0) as total
    from invoice_item where invoice_id = invoice.id) items
  cross join lateral (select coalesce(sum(case when is_refund then -abs(amount) else amount end), 0) as paid
    from payment where invoice_id = invoice.id and not is_reversed) payments
  order by n`;

/** The amounts of some invoices, in their order. A refund counts against what was paid, whatever its sign; a reversed payment does not count. */
export const readAmounts = async (sql: Sql, invoiceIds: string[]): Promise<Amounts[]> =>
  (await sql.rows(statement, [invoiceIds])).map(({ total, paid, balance }) => ({
    total: String(total),
    paid: String(paid),
    balance: String(balance),
  }));
