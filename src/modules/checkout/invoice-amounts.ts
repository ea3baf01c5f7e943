import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../kernel/scalars.js';
import type { Sql } from '../../kernel/sql.js';

@ObjectType({ description: 'What an invoice comes to in one currency.' })
export class InvoiceAmount {
  @Field(() => String, {
    nullable: true,
    description:
      'The currency in capitals, such as `USD`; null where no item names one, or beside other currencies for the items that name none.',
  })
  currency!: string | null;

  @Field(() => Money, { description: 'Sum of the items: unit prices times units, exact.' })
  total!: string;

  @Field(() => Money, {
    nullable: true,
    description:
      'Sum of the payments less the refunds, exact; reversed payments do not count. Null where the invoice has several currencies, because payments name none.',
  })
  paid!: string | null;

  @Field(() => Money, {
    nullable: true,
    description: 'What is still to be paid: the total less what was paid. Null where `paid` is.',
  })
  balance!: string | null;
}

/** An item that names no currency is in the one that the others name, if it is one. */
const statement = `
  select invoice.n::int as n, line.currency, line.total, payments.paid, line.total - payments.paid as balance
  from unnest($1::text[]) with ordinality invoice(id, n)
  cross join lateral (select count(distinct upper(currency)) as many, min(upper(currency)) as only
    from invoice_item where invoice_id = invoice.id and currency <> '') named
  cross join lateral (select coalesce(upper(nullif(currency, '')), case when named.many = 1 then named.only end) as currency,
      coalesce(sum(unit_price * units::numeric), 0) as total
    from invoice_item where invoice_id = invoice.id group by 1
    union all select null, 0 where not exists (select from invoice_item where invoice_id = invoice.id)) line
  left join lateral (select coalesce(sum(case when is_refund then -abs(amount) else amount end), 0) as paid
    from payment where invoice_id = invoice.id and not is_reversed) payments on named.many < 2
  order by n, line.currency nulls last`;

const textOf = (amount: unknown): string | null => (amount === null ? null : String(amount));

/**
 * The amounts of some invoices, in their order: one a currency, by its name, and at least one an invoice. A refund counts against what
 * was paid, whatever its sign; a reversed payment does not count.
 */
export async function readAmounts(sql: Sql, invoiceIds: string[]): Promise<InvoiceAmount[][]> {
  const amounts = invoiceIds.map((): InvoiceAmount[] => []);
  for (const { n, currency, total, paid, balance } of await sql.rows<{
    n: number;
    currency: string | null;
    [amount: string]: unknown;
  }>(statement, [invoiceIds]))
    amounts[n - 1]?.push({ currency, total: String(total), paid: textOf(paid), balance: textOf(balance) });
  return amounts;
}
