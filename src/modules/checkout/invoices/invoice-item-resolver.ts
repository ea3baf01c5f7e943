import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { inputOf } from '../../../kernel/write/input.js';
import { create, update, upsert } from '../../../kernel/write/save.js';
import { InvoiceItem } from './invoice-item.js';
import { withSingleCurrency } from './single-currency.js';

const values = { description: 'Values of the item.' };
const currencyRule = 'CONFLICT if another item of the invoice has another currency.';

const returning = (info: GraphQLResolveInfo): string[] => [
  ...new Set([...selectedColumns(InvoiceItem, info), 'invoiceId', 'currency']),
];

/** Mutations of invoice items. All items of an invoice must have the same currency. */
@Resolver()
export class InvoiceItemResolver {
  @Mutation(() => InvoiceItem, {
    description: `Creates an invoice item. Without an ID, the server assigns one. CONFLICT if the ID is taken. ${currencyRule}`,
  })
  @allowWriters(InvoiceItem)
  createInvoiceItem(
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return withSingleCurrency(context, input, () => create(context, InvoiceItem, input, returning(info)));
  }

  @Mutation(() => InvoiceItem, {
    description: `Updates the fields of an invoice item that the input contains. NOT_FOUND for an unknown ID. ${currencyRule}`,
  })
  @allowWriters(InvoiceItem)
  updateInvoiceItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return withSingleCurrency(context, input, () => update(context, InvoiceItem, id, input, returning(info)));
  }

  @Mutation(() => InvoiceItem, {
    description: `Creates an invoice item, or updates the provided fields of the item with the same ID. ${currencyRule}`,
  })
  @allowWriters(InvoiceItem)
  upsertInvoiceItem(
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return withSingleCurrency(context, input, () => upsert(context, InvoiceItem, input, returning(info)));
  }
}
