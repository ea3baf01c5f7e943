import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import type { Db } from '../../kernel/session.js';
import { legacyIn } from '../../kernel/write/input-values.js';
import type { InvoiceItem } from './invoice-item.js';
import { lockInvoice } from './invoice-lock-sql.js';

/** Writes of these fields may bring a second currency to an invoice; others leave items that are older than the rule as they are. */
const decides = (input: Values): boolean =>
  [input.invoiceId, input.currency, legacyIn(input).currency].some((value) => value !== undefined);

/** The currency of an item of the invoice that is in another one, null without: an index leads to those before and behind, however many items there are. */
const inAnotherCurrency = (db: Db, invoiceId: string, currency: string) => {
  const one = (side: '<' | '>') =>
    db
      .selectFrom('invoice_item')
      .select(({ fn }) => fn<string>('upper', ['currency']).as('currency'))
      .where('invoice_id', '=', invoiceId)
      // As the index says it, and no value of a run.
      .where(raw<SqlBool>`currency <> ''`)
      .where(({ eb, fn, val }) => eb(fn('upper', ['currency']), side, fn('upper', [val(currency)])))
      // In its order, so that nobody hopes for one among those that are read.
      .orderBy(({ fn }) => fn('upper', ['currency']))
      .limit(1);
  return db.selectNoFrom(({ fn }) => fn.coalesce(one('<'), one('>')).as('currency'));
};

/**
 * Writes an item in a transaction and refuses it where another item of its invoice is in another currency; one that names none goes with
 * any. Writes to one invoice look one after the other, after all have written: of two at once in different currencies one is refused.
 * `write` returns `invoiceId` and `currency` of the row among the rest.
 */
export async function inOneCurrency(
  { sql }: Context,
  input: Values,
  write: () => Promise<RowOf<InvoiceItem>>,
): Promise<RowOf<InvoiceItem>> {
  if (!decides(input)) return write();
  return sql.transaction(async () => {
    const item = await write();
    const { invoiceId, currency } = item;
    if (typeof invoiceId !== 'string' || !invoiceId || typeof currency !== 'string' || !currency) return item;
    await lockInvoice(sql, invoiceId);
    const other = await sql.first(inAnotherCurrency(sql.db, invoiceId, currency));
    if (other?.currency)
      fail(
        'CONFLICT',
        `an invoice has one currency: this item is in ${currency.toUpperCase()}, another one of the invoice is in ${other.currency}`,
      );
    return item;
  });
}
