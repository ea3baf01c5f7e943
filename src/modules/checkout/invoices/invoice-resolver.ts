import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { Money } from '../../../kernel/declare/scalars/scalars.js';
import { Invoice, InvoiceAmount } from './invoice.js';
import { readAmounts } from './invoice-amounts-sql.js';

const amountsOf = ({ id }: Pick<Invoice, 'id'>, { loaders, sql }: Context): Promise<InvoiceAmount[]> =>
  loaders.batchLoader('amounts of invoices', (ids) => readAmounts(sql, ids))(id);

/**
 * Returns the amounts of an invoice with a single currency. Null if the invoice has several currencies, because they cannot be added up.
 */
async function singleAmountOf(invoice: Pick<Invoice, 'id'>, context: Context): Promise<InvoiceAmount | null> {
  const [amount, ...otherAmounts] = await amountsOf(invoice, context);
  return otherAmounts.length ? null : (amount ?? null);
}

const severalCurrencies = 'Null if the items of the invoice are in several currencies. See `amounts`.';

@Resolver(() => Invoice)
export class InvoiceResolver {
  @FieldResolver(() => [InvoiceAmount], {
    description: 'Amounts, one per currency. New invoices have a single currency. Only old invoices can have several amounts.',
  })
  @readsColumns('id')
  amounts(@Root() invoice: Pick<Invoice, 'id'>, @Ctx() context: Context): Promise<InvoiceAmount[]> {
    return amountsOf(invoice, context);
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description: `Exact sum of \`unitPrice\` times \`units\` of the items that are not withdrawn, plus the amount that the tournament keeps for withdrawn items. The currency is that of the items. ${severalCurrencies}`,
  })
  @readsColumns('id')
  async total(@Root() invoice: Pick<Invoice, 'id'>, @Ctx() context: Context): Promise<string | null> {
    return (await singleAmountOf(invoice, context))?.total ?? null;
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description: `Exact sum of the payments minus the refunds. Reversed payments do not count. ${severalCurrencies}`,
  })
  @readsColumns('id')
  async paid(@Root() invoice: Pick<Invoice, 'id'>, @Ctx() context: Context): Promise<string | null> {
    return (await singleAmountOf(invoice, context))?.paid ?? null;
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description: `Amount still to be paid: \`total\` minus \`paid\`, plus \`refundRequested\`. Zero after a full withdrawal, even if only a part was paid. ${severalCurrencies}`,
  })
  @readsColumns('id')
  async balance(@Root() invoice: Pick<Invoice, 'id'>, @Ctx() context: Context): Promise<string | null> {
    return (await singleAmountOf(invoice, context))?.balance ?? null;
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description: `Amount that the platform has to refund after a withdrawal: the payment for withdrawn items, minus the amount that the tournament keeps. 0 after the refund. ${severalCurrencies}`,
  })
  @readsColumns('id')
  async refundRequested(@Root() invoice: Pick<Invoice, 'id'>, @Ctx() context: Context): Promise<string | null> {
    return (await singleAmountOf(invoice, context))?.refundRequested ?? null;
  }
}
