import { LockMode } from '@mikro-orm/core';
import type { Session } from '../../../kernel/session.js';
import type { Registration } from '../../tournaments/entries/registration.js';
import type { Tournament } from '../../tournaments/tournament.js';
import type { TournamentEvent } from '../../tournaments/tournament-event.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { isStillValid, usableCode } from '../discounts/usable-code.js';
import { type InvoiceLines, linesOf, type PricedLine, unbilledLines } from './invoice-lines.js';
import { lockInvoice } from './invoice-sql.js';

/**
 * Returns the ID of the latest unpaid invoice for a registration in a currency. Null if no unpaid invoice exists. If `isLocking` is true,
 * locks the invoice.
 */
async function findUnpaidInvoice(
  sql: Session,
  { id, userId }: Registration,
  currency: string | null,
  isLocking: boolean,
): Promise<string | null> {
  const row = await sql.first(
    sql.db
      .selectFrom('invoice as i')
      .select('i.id')
      .where('i.registration_id', '=', id)
      .where('i.user_id', '=', userId)
      .where((i) => {
        const payments = i.selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.id');
        return i.not(i.exists(payments.where('p.is_reversed', '=', false)));
      })
      .where((i) => {
        const items = i.selectFrom('invoice_item as l').select('l.id').whereRef('l.invoice_id', '=', 'i.id');
        const itemsInOtherCurrencies = items
          .where('l.currency', '<>', '')
          .where((l) => l(l.fn<string>('upper', ['l.currency']), '<>', currency ?? ''));
        return i.not(i.exists(itemsInOtherCurrencies));
      })
      .orderBy('i.created_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(1)
      .$if(isLocking, (invoice) => invoice.forUpdate()),
  );
  return row?.id ?? null;
}

interface BillInput {
  /** Registration to bill. Null if the registration does not exist yet. */
  registration: Registration | null;
  tournament: Tournament;
  /** Events that the player is about to enter. */
  events?: readonly TournamentEvent[];
  /**
   * Code that the player entered. Null or an empty string removes the code from the invoice. Undefined leaves the code of the invoice
   * unchanged.
   */
  discountCode?: string | null | undefined;
}

/** Invoice, lines and discount code of a checkout. */
export interface Bill {
  /** ID of the unpaid invoice. Null if no unpaid invoice exists. */
  invoiceId: string | null;
  /** All lines of the invoice. New lines come last. */
  invoiceLines: InvoiceLines;
  newLines: PricedLine[];
  code: DiscountCode | null;
  /** True if the code of the invoice is no longer valid. The existing discount lines then stay unchanged, and new lines get no discount. */
  keepsDiscountLines: boolean;
}

const noLines: InvoiceLines = { lines: [], discountLines: [], currency: null };

export const currencyOf = ({ currency }: Tournament): string | null => currency?.toUpperCase() || null;

/**
 * Returns the lines and the discount code of the invoice that a checkout creates or completes. If `isLocking` is true, locks the invoice
 * and the code.
 */
export async function billFor(sql: Session, input: BillInput, isLocking: boolean): Promise<Bill> {
  const { registration, tournament, events = [] } = input;
  const currency = currencyOf(tournament);
  const newLines = await unbilledLines(sql, registration, tournament, events);
  const invoiceId = registration && (await findUnpaidInvoice(sql, registration, currency, isLocking));
  if (invoiceId && isLocking) await lockInvoice(sql, invoiceId);
  const existingLines = invoiceId ? await linesOf(sql, invoiceId) : noLines;
  const invoiceLines = { ...existingLines, lines: [...existingLines.lines, ...newLines], currency };
  return { invoiceId, invoiceLines, newLines, ...(await discountFor()) };

  async function discountFor(): Promise<Pick<Bill, 'code' | 'keepsDiscountLines'>> {
    const enteredCode = input.discountCode?.trim();
    if (enteredCode) {
      const code = await usableCode(sql, tournament.id, enteredCode, { invoiceId, isLocking });
      return { code, keepsDiscountLines: false };
    }
    const id = input.discountCode === undefined ? existingLines.discountLines[0]?.codeId : undefined;
    if (id === undefined) return { code: null, keepsDiscountLines: false };
    const code = await sql.em.findOne(DiscountCode, { id }, isLocking ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
    return { code, keepsDiscountLines: code !== null && !isStillValid(code) };
  }
}
