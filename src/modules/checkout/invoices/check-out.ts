import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { create } from '../../../kernel/write/save.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { Tournament } from '../../tournaments/tournament.js';
import { limitCodeAttempts } from '../discounts/limit-code-attempts.js';
import { saveDiscount } from '../discounts/save-discount.js';
import { preparePayment } from '../payments/prepare-payment.js';
import { type Bill, billFor, currencyOf } from './bill.js';
import { type CheckoutInput, type CheckoutResult, checkCheckout } from './checkout-values.js';
import { Invoice } from './invoice.js';
import { InvoiceItem } from './invoice-item.js';
import { lockInvoice } from './invoice-lock-sql.js';

const moduleType = 'TOURNAMENT';

/** Locks a registration of the signed-in user, which serializes concurrent checkouts. Returns it with its tournament. */
async function lockOwnRegistration(
  { caller, sql }: Context,
  id: string,
): Promise<{ registration: Registration; tournament: Tournament }> {
  const userId = onBehalfOf({ caller }, null);
  const registration = await sql.em.findOne(Registration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!registration) return fail('NOT_FOUND', `no registration with the id ${id}`);
  if (registration.userId !== userId) return fail('FORBIDDEN', 'the registration belongs to another user');
  const tournament = await sql.em.findOne(Tournament, { id: registration.tournamentId ?? '' });
  if (!tournament) return fail('CONFLICT', 'the registration has no tournament');
  return tournament.isCanceled ? fail('CONFLICT', 'the tournament is canceled') : { registration, tournament };
}

/** Creates the invoice, or completes the unpaid one. Returns its ID, and the IDs of deleted discount items. */
async function saveBill(
  context: Context,
  { invoiceId: openInvoiceId, invoiceLines, newLines, code }: Bill,
  registration: Registration,
  tournament: Tournament,
): Promise<Pick<CheckoutResult, 'invoiceId' | 'deletedInvoiceItemIds'>> {
  const invoice = { moduleType, moduleId: tournament.id, clubId: tournament.clubId, registrationId: registration.id };
  const invoiceId =
    openInvoiceId ?? String((await create(context, Invoice, invoice, ['id'], { userId: registration.userId })).id);
  if (!openInvoiceId) await lockInvoice(context.sql, invoiceId);
  for (const { type, ...line } of newLines)
    await create(context, InvoiceItem, { ...line, legacy: { type, currency: invoiceLines.currency }, invoiceId }, ['id']);
  return { invoiceId, deletedInvoiceItemIds: await saveDiscount(context, invoiceId, invoiceLines, code) };
}

/** Creates the invoice for a registration, or completes the unpaid one, and prepares its payment. */
export async function checkOut(context: Context, input: CheckoutInput): Promise<CheckoutResult> {
  checkCheckout(input, 'input.');
  const { registrationId, discountCode, provider } = input;
  return limitCodeAttempts(context, discountCode, () =>
    context.sql.transaction(async () => {
      const { sql, loaders } = context;
      const { registration, tournament } = await lockOwnRegistration(context, registrationId);
      const bill = await billFor(sql, { registration, tournament, discountCode }, true);
      if (!bill.invoiceId && bill.newLines.length === 0) fail('CONFLICT', 'there is nothing to check out');
      const { invoiceId, deletedInvoiceItemIds } = await saveBill(context, bill, registration, tournament);
      const payment = await preparePayment(
        context,
        { invoiceId, currency: currencyOf(tournament), moduleType, requestedProvider: provider ?? null },
        registration,
        tournament,
      );
      loaders.clear();
      return { invoiceId, deletedInvoiceItemIds, ...payment };
    }),
  );
}
