import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, user } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { create } from '../../../kernel/write/save.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { Tournament } from '../../tournaments/tournament.js';
import { saveDiscount } from '../discounts/save-discount.js';
import { limitCodeAttempts } from '../discounts/usable-code.js';
import { preparePayment } from '../payments/prepare-payment.js';
import { ProviderRequest } from '../payments/provider-request.js';
import { type Bill, billFor, currencyOf } from './bill.js';
import { Checkout, CheckoutInput, type CheckoutResult, checkCheckout } from './checkout-values.js';
import { Invoice } from './invoice.js';
import { InvoiceItem } from './invoice-item.js';
import { lockInvoice } from './invoice-sql.js';

const moduleType = 'TOURNAMENT';

/** Locks a registration of the signed-in user, so that concurrent checkouts run one after another. Returns it with its tournament. */
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

/**
 * Creates the invoice, or adds the missing lines to the unpaid invoice. Returns the ID of the invoice and the IDs of deleted discount
 * items.
 */
async function saveBill(
  context: Context,
  { invoiceId: openInvoiceId, invoiceLines, newLines, code, keepsDiscountLines }: Bill,
  registration: Registration,
  tournament: Tournament,
): Promise<Pick<CheckoutResult, 'invoiceId' | 'deletedInvoiceItemIds'>> {
  const invoice = { moduleType, moduleId: tournament.id, clubId: tournament.clubId, registrationId: registration.id };
  const invoiceId =
    openInvoiceId ?? String((await create(context, Invoice, invoice, ['id'], { userId: registration.userId })).id);
  if (!openInvoiceId) await lockInvoice(context.sql, invoiceId);
  for (const { type, ...line } of newLines)
    await create(context, InvoiceItem, { ...line, legacy: { type, currency: invoiceLines.currency }, invoiceId }, ['id']);
  const deletedInvoiceItemIds = keepsDiscountLines ? [] : await saveDiscount(context, invoiceId, invoiceLines, code);
  return { invoiceId, deletedInvoiceItemIds };
}

/** Creates the invoice for a registration, or adds the missing lines to its unpaid invoice, and prepares the payment. */
async function checkOut(context: Context, input: CheckoutInput): Promise<CheckoutResult> {
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

@Resolver(() => Checkout)
export class CheckoutResolver {
  @allow(user)
  @Mutation(() => Checkout, {
    description:
      'Creates the invoice for a registration of the signed-in user, in the currency of the tournament. It contains the `registrationFee` of the tournament once, the `fee` of the event for each entry without an invoice, and the discount of a code. While nothing is paid, another call returns the same invoice with new entries added, and discount items keep their IDs. To get the price before the registration, use `quote`. CONFLICT if there is nothing to check out. CONFLICT if the code is disabled, is outside its validity period, does not apply to registrations, or has reached its maximum number of uses (`issued`). BAD_INPUT for an unknown code.',
  })
  checkout(
    @Arg('input', () => CheckoutInput, { description: 'Registration to check out, and a discount code.' }) input: CheckoutInput,
    @Ctx() context: Context,
  ): Promise<CheckoutResult> {
    return checkOut(context, input);
  }

  @FieldResolver(() => Invoice, {
    nullable: true,
    description: 'Invoice of the registration. Its `balance` is the amount to be paid.',
  })
  invoice(
    @Root() { invoiceId }: CheckoutResult,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Invoice> | null> {
    return loaders.loadRow(Invoice, selectedColumns(Invoice, info), invoiceId);
  }

  @FieldResolver(() => ProviderRequest, {
    nullable: true,
    description:
      'Prepared payment request for the payment provider of the platform: provider, amount, currency and account of the payee. It supersedes earlier requests for the same invoice. Null if there is nothing to pay, or no provider is available.',
  })
  request(
    @Root() { requestId }: CheckoutResult,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ProviderRequest> | null> | null {
    return requestId === null ? null : loaders.loadRow(ProviderRequest, selectedColumns(ProviderRequest, info), requestId);
  }
}
