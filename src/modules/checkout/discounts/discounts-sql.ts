import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import type { PricedLine } from '../invoices/invoice-lines.js';
import type { DiscountCode } from './discount-code.js';

const statement = `
  select off.amount::text as off, (sum(line.price - off.amount) over ())::text as total
  from (select prices.n, prices.price, coalesce(sum(greatest(prices.price, 0)) over (order by prices.n
      rows between unbounded preceding and 1 preceding), 0) as before
    from (select n, coalesce(price::numeric * units::numeric, 0) as price
      from unnest($1::text[], $2::float8[]) with ordinality line(price, units, n)) prices) line
  cross join lateral (select case when line.price <= 0 then 0 when $3::numeric is null then line.price
    else least(line.price, greatest($3::numeric - line.before, 0)) end as amount) off
  order by line.n`;

/** Discount on each line, and the total after the discount, as decimal strings. */
interface Discounts {
  discountAmounts: string[];
  total: string;
}

/** Distributes the discount of a code over the lines, in order. The discount of a line never exceeds its price. */
export async function distributeDiscount(
  sql: Session,
  lines: readonly PricedLine[],
  code: DiscountCode | null,
): Promise<Discounts> {
  const amount = code?.coversEverything ? null : (code?.discount ?? '0');
  const values = [lines.map(({ unitPrice }) => unitPrice), lines.map(({ units }) => units), amount];
  const rows = await sql.rows(sqlForReading([], statement), values, { off: is.text, total: is.text });
  return { discountAmounts: rows.map(({ off }) => off), total: rows[0]?.total ?? '0' };
}
