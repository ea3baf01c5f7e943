import { type ExpressionBuilder, sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session, Tables } from '../../../kernel/session.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { saveDiscount } from '../discounts/save-discount.js';
import { isStillValid } from '../discounts/usable-code.js';
import { linesOf } from '../invoices/invoice-lines.js';
import { isFee, lockInvoice } from '../invoices/invoice-sql.js';
import { supersedeRequests } from '../payments/prepare-payment.js';

type ItemExpression = ExpressionBuilder<Tables & { i: Tables['invoice_item'] }, 'i'>;

const isPaid = ({ exists, selectFrom }: ItemExpression) =>
  exists(
    selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.invoice_id').where('p.is_reversed', '=', false),
  );

/** Start time of the transaction, which identifies the items that are withdrawn together. */
const withdrawalTime = raw<string>`now()`;

interface WithdrawnItem {
  id: string;
  invoiceId: string | null;
  discountCodeId: string | null;
}

/** Deletes withdrawn items of unpaid invoices and marks the items of other invoices as withdrawn. Does not request refunds of fees. */
async function withdrawMatching(sql: Session, isWithdrawn: (item: ItemExpression) => ReturnType<ItemExpression['exists']>) {
  const deletedItems: WithdrawnItem[] = await sql.run(
    sql.db
      .deleteFrom('invoice_item as i')
      .where(isWithdrawn)
      .where((item) => item.not(isPaid(item)))
      .returning(['i.id', 'i.invoice_id as invoiceId', 'i.discount_code_id as discountCodeId']),
  );
  // Marks the items that were not deleted. Does not check for payments again, because a payment may be reversed between the two statements.
  const markedItems = await sql.run(
    sql.db
      .updateTable('invoice_item as i')
      .set({
        withdrawn_at: withdrawalTime,
        refund_requested_at: raw`case when ${raw.raw(isFee('i'))} then i.refund_requested_at
          else coalesce(i.refund_requested_at, now()) end`,
        updated_at: raw`clock_timestamp()`,
      })
      .where('i.withdrawn_at', 'is', null)
      .where(isWithdrawn)
      .returning('i.invoice_id as invoiceId'),
  );
  return {
    deletedItems,
    invoiceIds: [...new Set([...deletedItems, ...markedItems].flatMap(({ invoiceId }) => invoiceId ?? []))].sort(),
  };
}

/**
 * Applies the discount codes of deleted items to the other items of their invoices. Codes that are no longer valid change no items. Returns the
 * IDs of deleted discount items.
 */
async function reapplyCodes(context: Context, deletedItems: readonly WithdrawnItem[]): Promise<string[]> {
  const { sql } = context;
  const ids: string[] = [];
  const codes = new Map(
    deletedItems.flatMap(({ invoiceId, discountCodeId }) => (invoiceId && discountCodeId ? [[invoiceId, discountCodeId]] : [])),
  );
  for (const [invoiceId, codeId] of [...codes].sort()) {
    await lockInvoice(sql, invoiceId);
    const invoiceLines = await linesOf(sql, invoiceId);
    const hasLines = invoiceLines.lines.length > 0;
    const code = hasLines ? await sql.em.findOne(DiscountCode, { id: codeId }) : null;
    if (!code || isStillValid(code)) ids.push(...(await saveDiscount(context, invoiceId, invoiceLines, code)));
  }
  return ids;
}

/**
 * Removes withdrawn entries, and all items of withdrawn registrations, from invoices. Deletes items of unpaid invoices. If no item with the
 * discount code remains, the code can be used once more. For items of other invoices, requests refunds, which the platform pays. Later
 * payments must also be refunded. Supersedes open payment requests. Returns the IDs of the deleted items.
 */
export async function withdrawItems(
  context: Context,
  entryIds: readonly string[],
  registrationIds: readonly string[],
): Promise<string[]> {
  const { sql } = context;
  const { deletedItems, invoiceIds } = await withdrawMatching(sql, ({ exists, selectFrom }) =>
    exists(
      selectFrom('invoice as v')
        .select('v.id')
        .whereRef('v.id', '=', 'i.invoice_id')
        .where(raw<SqlBool>`(i.event_registration_id = any(${entryIds}) or v.registration_id = any(${registrationIds}))`),
    ),
  );
  if (invoiceIds.length === 0) return [];
  await supersedeRequests(sql, invoiceIds, null);
  const discountIds = await reapplyCodes(context, deletedItems);
  await sql.run(
    sql.db
      .updateTable('invoice')
      .set({ withdrawn_at: withdrawalTime, updated_at: raw`clock_timestamp()` })
      .where(raw<SqlBool>`id = any(${invoiceIds})`),
  );
  return [...deletedItems.map(({ id }) => id), ...discountIds];
}
