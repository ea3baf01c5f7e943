import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { normalizeDecimal } from '../../../kernel/declare/scalars/scalars.js';
import { create, update } from '../../../kernel/write/save.js';
import { InvoiceItem } from '../invoices/invoice-item.js';
import { type DiscountLine, discountType, type InvoiceLines } from '../invoices/invoice-lines.js';
import type { DiscountCode } from './discount-code.js';
import { distributeDiscount } from './discounts-sql.js';

const isZero = (amount: string): boolean => Number(amount) === 0;

/** Removes a line for the same event from the list of unused lines and returns it. */
function removeLineFor(
  unusedLines: DiscountLine[],
  { eventRegistrationId, eventId }: Pick<DiscountLine, 'eventRegistrationId' | 'eventId'>,
) {
  const index = unusedLines.findIndex((line) => line.eventRegistrationId === eventRegistrationId && line.eventId === eventId);
  return index < 0 ? null : (unusedLines.splice(index, 1)[0] ?? null);
}

/**
 * Applies a discount code to an unpaid invoice, with one discount line for each discounted line. Existing discount lines keep their IDs and
 * change only if their values differ. Without a code, deletes all discount lines. Returns the IDs of the deleted discount lines.
 */
export async function saveDiscount(
  context: Context,
  invoiceId: string,
  { lines, discountLines, currency }: InvoiceLines,
  code: DiscountCode | null,
): Promise<string[]> {
  const unusedLines = [...discountLines];
  if (code) {
    const { discountAmounts } = await distributeDiscount(context.sql, lines, code);
    for (const [index, line] of lines.entries()) {
      const amount = discountAmounts[index] ?? '0';
      if (isZero(amount)) continue;
      const { eventRegistrationId, eventId } = line;
      const values = { title: code.title || code.code, discountCodeId: code.id, unitPrice: `-${amount}`, units: 1 };
      const existingLine = removeLineFor(unusedLines, line);
      if (!existingLine) {
        const input = { invoiceId, legacy: { type: discountType, currency }, eventRegistrationId, eventId, ...values };
        await create(context, InvoiceItem, input, ['id']);
      } else if (!isUnchanged(existingLine, { ...values, currency }))
        await update(context, InvoiceItem, existingLine.id, { ...values, legacy: { currency } }, ['id']);
    }
  }
  return deleteLines(context, unusedLines);
}

function isUnchanged(
  line: DiscountLine,
  { title, discountCodeId, unitPrice, units, currency }: Record<string, unknown>,
): boolean {
  const isSamePrice = normalizeDecimal(line.unitPrice) === normalizeDecimal(unitPrice);
  return (
    line.title === title && line.codeId === discountCodeId && isSamePrice && line.units === units && line.currency === currency
  );
}

async function deleteLines({ sql }: Context, lines: readonly DiscountLine[]): Promise<string[]> {
  const ids = lines.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await sql.run(sql.db.deleteFrom('invoice_item').where(raw<SqlBool>`id = any(${ids})`));
  return ids;
}
