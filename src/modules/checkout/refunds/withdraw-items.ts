import { type ExpressionBuilder, sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session, Tables } from '../../../kernel/session.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { saveDiscount } from '../discounts/save-discount.js';
import { isFee } from '../invoices/fee-sql.js';
import { linesOf } from '../invoices/invoice-lines.js';
import { lockInvoice } from '../invoices/invoice-lock-sql.js';
import { supersedeRequests } from '../payments/supersede-requests.js';

type ItemExpression = ExpressionBuilder<Tables & { i: Tables['invoice_item'] }, 'i'>;

const isPaid = ({ exists, selectFrom }: ItemExpression) =>
  exists(
    selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.invoice_id').where('p.is_reversed', '=', false),
  );

/** The time of the transaction, which is the same for all items that are withdrawn together. */
const withdrawalTime = raw<string>`now()`;

interface WithdrawnItem {
  id: string;
  invoiceId: string | null;
  discountCodeId: string | null;
}

/** Deletes withdrawn items of unpaid invoices, and marks those of other invoices as withdrawn. Fees get no refund request. */
async function withdrawMatching(sql: Session, isWithdrawn: (item: ItemExpression) => ReturnType<ItemExpression['exists']>) {
  const deleted: WithdrawnItem[] = await sql.run(
    sql.db
      .deleteFrom('invoice_item as i')
      .where(isWithdrawn)
      .where((item) => item.not(isPaid(item)))
      .returning(['i.id', 'i.invoice_id as invoiceId', 'i.discount_code_id as discountCodeId']),
  );
  // Marks all items that were not deleted, because a payment may be reversed between the two statements.
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
  return { deleted, invoiceIds: [...new Set([...deleted, ...markedItems].flatMap(({ invoiceId }) => invoiceId ?? []))].sort() };
}

/** Applies the discount codes of deleted items to the other items of their invoices. Returns the IDs of deleted discount items. */
async function reapplyCodes(context: Context, deleted: readonly WithdrawnItem[]): Promise<string[]> {
  const { sql } = context;
  const ids: string[] = [];
  const codes = new Map(
    deleted.flatMap(({ invoiceId, discountCodeId }) => (invoiceId && discountCodeId ? [[invoiceId, discountCodeId]] : [])),
  );
  for (const [invoiceId, codeId] of [...codes].sort()) {
    await lockInvoice(sql, invoiceId);
    const invoiceLines = await linesOf(sql, invoiceId);
    const hasLines = invoiceLines.lines.length > 0;
    const code = hasLines ? await sql.em.findOne(DiscountCode, { id: codeId }) : null;
    ids.push(...(await saveDiscount(context, invoiceId, invoiceLines, code)));
  }
  return ids;
}

/**
 * Removes withdrawn entries, and all items of withdrawn registrations, from invoices. Items of unpaid invoices are deleted. If no item with the
 * discount code is left, the code can be used once more. Items of other invoices stay with a refund request, which the platform pays. Later
 * payments must be refunded as well. Open payment requests are superseded. Returns the IDs of the deleted items.
 */
export async function withdrawItems(
  context: Context,
  entryIds: readonly string[],
  registrationIds: readonly string[],
): Promise<string[]> {
  const { sql } = context;
  const { deleted, invoiceIds } = await withdrawMatching(sql, ({ exists, selectFrom }) =>
    exists(
      selectFrom('invoice as v')
        .select('v.id')
        .whereRef('v.id', '=', 'i.invoice_id')
        .where(raw<SqlBool>`(i.event_registration_id = any(${entryIds}) or v.registration_id = any(${registrationIds}))`),
    ),
  );
  if (invoiceIds.length === 0) return [];
  await supersedeRequests(sql, invoiceIds, null);
  const discountIds = await reapplyCodes(context, deleted);
  await sql.run(
    sql.db
      .updateTable('invoice')
      .set({ withdrawn_at: withdrawalTime, updated_at: raw`clock_timestamp()` })
      .where(raw<SqlBool>`id = any(${invoiceIds})`),
  );
  return [...deleted.map(({ id }) => id), ...discountIds];
}
