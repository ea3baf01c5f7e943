import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { create, update, upsert } from '../../kernel/write/save.js';
import { InvoiceItem } from './invoice-item.js';
import { inOneCurrency } from './keep-currency.js';

const values = { description: 'Its values.' };
const rule = 'CONFLICT when another item of its invoice is in another currency.';

const returning = (info: GraphQLResolveInfo): string[] => [
  ...new Set([...columnsWanted(InvoiceItem, info), 'invoiceId', 'currency']),
];

/** Writes of invoice items, all of which hold an invoice to one currency. */
@Resolver()
export class InvoiceItemResolver {
  @Mutation(() => InvoiceItem, {
    description: `Creates an item of an invoice. The server assigns an id where none is given; CONFLICT when it is taken. ${rule}`,
  })
  @writes(InvoiceItem)
  createInvoiceItem(
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return inOneCurrency(context, input, () => create(context, InvoiceItem, input, returning(info)));
  }

  @Mutation(() => InvoiceItem, {
    description: `Changes the fields given of an item of an invoice; NOT_FOUND for an unknown id. ${rule}`,
  })
  @writes(InvoiceItem)
  updateInvoiceItem(
    @Arg('id', () => ID, { description: 'Id of the item.' }) id: string,
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return inOneCurrency(context, input, () => update(context, InvoiceItem, id, input, returning(info)));
  }

  @Mutation(() => InvoiceItem, {
    description: `Creates an item of an invoice, or changes the fields given of the one with the same id. ${rule}`,
  })
  @writes(InvoiceItem)
  upsertInvoiceItem(
    @Arg('input', () => inputOf(InvoiceItem), values) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<InvoiceItem>> {
    return inOneCurrency(context, input, () => upsert(context, InvoiceItem, input, returning(info)));
  }
}
