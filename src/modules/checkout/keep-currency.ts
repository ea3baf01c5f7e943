import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import type { Row } from '../../kernel/sql.js';

/** Writes of these fields may bring a second currency to an invoice; others leave items that are older than the rule as they are. */
const decides = ({ invoiceId, currency }: Row): boolean => invoiceId !== undefined || currency !== undefined;

/**
 * Writes an item in a transaction and refuses it where another item of its invoice is in another currency; one that names none goes with
 * any. Writes to one invoice look one after the other, after all have written: of two at once in different currencies one is refused.
 * `write` returns `id`, `invoiceId` and `currency` of the row among the rest.
 */
export async function inOneCurrency({ sql }: Context, input: Row, write: () => Promise<Row>): Promise<Row> {
  if (!decides(input)) return write();
  return sql.transaction(async () => {
    const item = await write();
    const { id, invoiceId, currency } = item;
    if (!invoiceId || typeof currency !== 'string' || !currency) return item;
    // The invoice itself may not be there yet, so that there is no row to lock.
    await sql.rows(`select pg_advisory_xact_lock(hashtext('invoice'), hashtext($1))`, [invoiceId]);
    const other = await sql.row<{ currency: string }>(
      `select upper(currency) as currency from invoice_item
       where invoice_id = $1 and id <> $2 and currency <> '' and upper(currency) <> upper($3) limit 1`,
      [invoiceId, id, currency],
    );
    if (other)
      fail(
        'CONFLICT',
        `an invoice has one currency: this item is in ${currency.toUpperCase()}, another one of the invoice is in ${other.currency}`,
      );
    return item;
  });
}
