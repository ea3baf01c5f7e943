import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { create } from '../../kernel/write/save.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';
import { applyDiscount } from './apply-discount.js';
import { type CheckedOut, type CheckoutInput, checkCheckout } from './checkout-values.js';
import { Invoice } from './invoice.js';
import { InvoiceItem } from './invoice-item.js';
import { lockInvoice } from './invoice-lock-sql.js';
import { openInvoice } from './open-invoice.js';
import { preparePayment } from './prepare-payment.js';
import { unbilled } from './unbilled.js';

const moduleType = 'TOURNAMENT';

/** A registration of the signed-in user, locked, with its tournament: of two checkouts at once the second one finds what the first one made. */
async function lockOwn({ caller, sql }: Context, id: string): Promise<{ registration: Registration; tournament: Tournament }> {
  const userId = onBehalfOf({ caller }, null);
  const registration = await sql.em.findOne(Registration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!registration) return fail('NOT_FOUND', `no registration with the id ${id}`);
  if (registration.userId !== userId) return fail('FORBIDDEN', "the registration is somebody else's");
  const tournament = await sql.em.findOne(Tournament, { id: registration.tournamentId ?? '' });
  if (!tournament) return fail('CONFLICT', 'the registration is for no tournament');
  return tournament.isCanceled ? fail('CONFLICT', 'the tournament was called off') : { registration, tournament };
}

/** Makes out the invoice for a registration, or completes the one on which nothing is paid, and prepares its payment. */
export async function checkOut(context: Context, input: CheckoutInput): Promise<CheckedOut> {
  checkCheckout(input, 'input.');
  const { registrationId, discountCode, provider } = input;
  const typed = discountCode?.trim() ?? null;
  const giveBack = typed === null ? null : await context.services.limit(context, 'user.codes', onBehalfOf(context, null));
  const checkedOut = await context.sql.transaction(async () => {
    const { sql, loaders } = context;
    const { registration, tournament } = await lockOwn(context, registrationId);
    const currency = tournament.currency?.toUpperCase() || null;
    const items = await unbilled(sql, registration, tournament);
    const open = await openInvoice(sql, registration, currency);
    if (!open && items.length === 0) fail('CONFLICT', 'nothing is left to check out');
    const made = { moduleType, moduleId: tournament.id, clubId: tournament.clubId, registrationId };
    const invoiceId = open ?? String((await create(context, Invoice, made, ['id'], { userId: registration.userId })).id);
    await lockInvoice(sql, invoiceId);
    for (const item of items) await create(context, InvoiceItem, { ...item, invoiceId, units: 1, currency }, ['id']);
    await applyDiscount(context, registration, { invoiceId, currency, typed });
    const payment = await preparePayment(
      context,
      { invoiceId, currency, moduleType, wanted: provider ?? null },
      registration,
      tournament,
    );
    loaders.clear();
    return { invoiceId, ...payment };
  });
  // Only rejected codes count.
  await giveBack?.();
  return checkedOut;
}
