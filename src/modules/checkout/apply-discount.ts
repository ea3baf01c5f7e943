import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import type { Session } from '../../kernel/session.js';
import { create } from '../../kernel/write/save.js';
import { touch } from '../../kernel/write/touch.js';
import type { Registration } from '../tournaments/registration.js';
import { DiscountCode } from './discount-code.js';
import { discountsOn } from './discounts-sql.js';
import { InvoiceItem } from './invoice-item.js';
import { lockCode } from './lock-code.js';

/** As it is kept. */
const kept = 'Discount';

interface Wanted {
  invoiceId: string;
  currency: string | null;
  /** The code that the player typed, or null to keep the one that is there. */
  typed: string | null;
}

/** Takes the lines of a discount off an invoice; the id of its code. */
async function takeBack(sql: Session, invoiceId: string): Promise<string | null> {
  const lines = await sql.run(
    sql.db
      .deleteFrom('invoice_item')
      .where('invoice_id', '=', invoiceId)
      .where('item_type', '=', kept)
      .where('discount_code_id', 'is not', null)
      .returning('discount_code_id as codeId'),
  );
  return lines[0]?.codeId ?? null;
}

/** Takes a discount off the lines of an unpaid invoice, each by a line of its own; a code that is there is reckoned anew. */
export async function applyDiscount(
  context: Context,
  registration: Registration,
  { invoiceId, currency, typed }: Wanted,
): Promise<void> {
  const { sql } = context;
  const before = await takeBack(sql, invoiceId);
  const code = typed
    ? await lockCode(sql, registration.tournamentId ?? '', typed, invoiceId)
    : before && (await sql.em.findOne(DiscountCode, { id: before }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  if (!code) return;
  for (const { off, ...line } of await discountsOn(sql, invoiceId, code.coversEverything ? null : code.discount)) {
    const title = code.title || code.code;
    const item = {
      ...line,
      invoiceId,
      itemTypeRaw: kept,
      title,
      discountCodeId: code.id,
      unitPrice: `-${off}`,
      units: 1,
      currency,
    };
    await create(context, InvoiceItem, item, ['id']);
  }
  registration.promoCode = code.code;
  touch(context, registration);
  await sql.em.flush();
}
