import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import type { Db } from '../../../kernel/session.js';
import { inputOf } from '../../../kernel/write/input.js';
import { legacyValuesIn } from '../../../kernel/write/input-values.js';
import { create, update, upsert } from '../../../kernel/write/save.js';
import { InvoiceItem } from './invoice-item.js';
import { lockInvoice } from './invoice-sql.js';

/**
 * Whether a write can add a second currency to an invoice. Only such writes are checked, because old invoices may have several currencies.
 */
const affectsCurrency = (input: Values): boolean =>
  [input.invoiceId, input.currency, legacyValuesIn(input).currency].some((value) => value !== undefined);

/**
 * Selects a currency of the invoice that differs from `currency`. Null if all items have the given currency. Two index lookups find the
 * next smaller and the next greater currency.
 */
const findOtherCurrency = (db: Db, invoiceId: string, currency: string) => {
  const nextCurrency = (side: '<' | '>') =>
    db
      .selectFrom('invoice_item')
      .select(({ fn }) => fn<string>('upper', ['currency']).as('currency'))
      .where('invoice_id', '=', invoiceId)
      // This condition must match the partial index, with a literal instead of a parameter. Otherwise, PostgreSQL cannot use the index.
      .where(raw<SqlBool>`currency <> ''`)
      .where(({ eb, fn, val }) => eb(fn('upper', ['currency']), side, fn('upper', [val(currency)])))
      // Sorts by the columns of the index, so that PostgreSQL uses this index and no other index.
      .orderBy(({ fn }) => fn('upper', ['currency']))
      .limit(1);
  return db.selectNoFrom(({ fn }) => fn.coalesce(nextCurrency('<'), nextCurrency('>')).as('currency'));
};

/**
 * Writes an item in a transaction. Throws CONFLICT if another item of its invoice has a different currency. Accepts items without a
 * currency. The check runs after the write, while the invoice is locked, so that only one of two concurrent writes with different
 * currencies succeeds. `write` must return `invoiceId` and `currency` of the row.
 */
async function withSingleCurrency(
  { sql }: Context,
  input: Values,
  write: () => Promise<RowOf<InvoiceItem>>,
): Promise<RowOf<InvoiceItem>> {
  if (!affectsCurrency(input)) return write();
  return sql.transaction(async () => {
    const item = await write();
    const { invoiceId, currency } = item;
    if (typeof invoiceId !== 'string' || !invoiceId || typeof currency !== 'string' || !currency) return item;
    await lockInvoice(sql, invoiceId);
    const otherItem = await sql.first(findOtherCurrency(sql.db, invoiceId, currency));
    if (otherItem?.currency)
      fail(
        'CONFLICT',
        `an invoice has one currency: this item is in ${currency.toUpperCase()}, another one of the invoice is in ${otherItem.currency}`,
      );
    return item;
  });
}

const values = { description: 'Fields to set on the item.' };
const currencyRule = 'CONFLICT if another item of the invoice has a different currency.';

const returning = (info: GraphQLResolveInfo): string[] => [
  ...new Set([...selectedColumns(InvoiceItem, info), 'invoiceId', 'currency']),
];

/** Mutations of invoice items. All items of an invoice must have the same currency. */
@Resolver()
export class InvoiceItemResolver {
  @Mutation(() => InvoiceItem, {
    description: `Creates an invoice item. By default, the server assigns the ID. CONFLICT if the ID is taken. ${currencyRule}`,
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
    description: `Updates the given fields of an invoice item. NOT_FOUND for an unknown ID. ${currencyRule}`,
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
