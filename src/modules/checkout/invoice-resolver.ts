import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { needs } from '../../kernel/record.js';
import { Money } from '../../kernel/scalars.js';
import { Invoice } from './invoice.js';
import { type Amounts, readAmounts } from './invoice-amounts.js';

const amountsOf = ({ id }: Invoice, { loaders, sql }: Context): Promise<Amounts> =>
  loaders.batch('amounts of invoices', (ids) => readAmounts(sql, ids))(id);

/** What an invoice comes to. */
@Resolver(() => Invoice)
export class InvoiceResolver {
  @FieldResolver(() => Money, { description: 'Sum of its items: unit prices times units, exact, in the currency of the items.' })
  @needs('id')
  async total(@Root() invoice: Invoice, @Ctx() context: Context): Promise<string> {
    return (await amountsOf(invoice, context)).total;
  }

  @FieldResolver(() => Money, { description: 'Sum of its payments less its refunds, exact; reversed payments do not count.' })
  @needs('id')
  async paid(@Root() invoice: Invoice, @Ctx() context: Context): Promise<string> {
    return (await amountsOf(invoice, context)).paid;
  }

  @FieldResolver(() => Money, { description: 'What is still to be paid: the total less what was paid.' })
  @needs('id')
  async balance(@Root() invoice: Invoice, @Ctx() context: Context): Promise<string> {
    return (await amountsOf(invoice, context)).balance;
  }
}
