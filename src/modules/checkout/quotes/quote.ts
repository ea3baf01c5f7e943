import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, user } from '../../../kernel/declare/policy/policy.js';
import { Registration } from '../../tournaments/entries/registration.js';
import type { Tournament } from '../../tournaments/tournament.js';
import type { TournamentEvent } from '../../tournaments/tournament-event.js';
import { distributeDiscount } from '../discounts/discounts-sql.js';
import { limitCodeAttempts } from '../discounts/usable-code.js';
import { type Bill, billFor, currencyOf } from '../invoices/bill.js';
import { discountType } from '../invoices/invoice-lines.js';
import { PaymentOption } from '../payments/payment-choices.js';
import { paymentMethodsOf } from '../payments/payment-methods.js';
import { checkQuote, Quote, QuoteInput, QuoteItem } from './quote-values.js';
import { runInReadOnlyTransaction } from './read-only-sql.js';

/** Returns the items of the invoice that `checkout` would create: its lines, and the discount on each line. */
function itemsOf({ invoiceLines, code, keepsDiscountLines }: Bill, discountAmounts: readonly string[]): QuoteItem[] {
  const { lines, discountLines } = invoiceLines;
  const items = lines.map(({ type, title, eventId, unitPrice, units }): QuoteItem => {
    return { type, title, eventId, unitPrice, units, code: null };
  });
  if (keepsDiscountLines) {
    const existingDiscounts = discountLines.map(({ title, eventId, unitPrice, units }): QuoteItem => {
      return { type: discountType, title, eventId, unitPrice, units, code: code?.code ?? null };
    });
    return [...items, ...existingDiscounts];
  }
  const discounts = lines.flatMap(({ eventId }, index): QuoteItem[] => {
    const amount = discountAmounts[index] ?? '0';
    if (!code || Number(amount) === 0) return [];
    const title = code.title || code.code;
    return [{ type: discountType, title, eventId, unitPrice: `-${amount}`, units: 1, code: code.code }];
  });
  return [...items, ...discounts];
}

/** Event that the player wants to enter, with its tournament. */
interface PlannedEvent {
  event: TournamentEvent;
  tournament: Tournament;
}

/**
 * Calculates the price of entering a player in the given events. Includes the lines of the unpaid invoice, and entries that are not
 * invoiced yet.
 */
async function price(
  context: Context,
  plannedEvents: readonly PlannedEvent[],
  discountCode: string | null | undefined,
): Promise<Quote> {
  const { sql } = context;
  const [firstEvent] = plannedEvents;
  if (!firstEvent) throw new Error('cannot calculate the price of a registration without events');
  const { tournament } = firstEvent;
  const registrationKey = { tournamentId: tournament.id, userId: onBehalfOf(context, null) };
  const registration = await sql.em.findOne(Registration, registrationKey, { orderBy: { id: 'asc' } });
  const events = plannedEvents.map(({ event }) => event);
  const bill = await billFor(sql, { registration, tournament, events, discountCode }, false);
  const { lines, discountLines } = bill.invoiceLines;
  const { discountAmounts, total } = bill.keepsDiscountLines
    ? await distributeDiscount(sql, [...lines, ...discountLines], null)
    : await distributeDiscount(sql, lines, bill.code);
  const methods = Number(total) > 0 ? (await paymentMethodsOf(context, tournament)).methods : [];
  return { items: itemsOf(bill, discountAmounts), total, currency: currencyOf(tournament), methods };
}

/**
 * Calculates what the signed-in user would pay for a registration, by the rules of `registerTeams` and `checkout`. Does not write or lock
 * rows.
 */
async function quote(context: Context, input: QuoteInput): Promise<Quote> {
  checkQuote(input, 'input.');
  const { events, discountCode } = input;
  return limitCodeAttempts(context, discountCode, () =>
    runInReadOnlyTransaction(context, async (readOnlyContext) =>
      price(readOnlyContext, await readOnlyContext.services.allowedEntries(readOnlyContext, events), discountCode),
    ),
  );
}

@Resolver(() => Quote)
export class QuoteResolver {
  @allow(user)
  @Query(() => Quote, {
    description:
      "Price of a registration before it is created. It is the amount that `checkout` would invoice after `registerTeams` with the same events. Includes other items on the registration's unpaid invoice, and entries that are not invoiced yet. Rules and errors are the same as for `registerTeams` and `checkout`. Rejected discount codes and partners count toward the same limits. If the caller cannot see the players of the tournament, the quote does not report that a partner is already in an event. Nothing is written, and no spot is reserved.",
  })
  quote(
    @Arg('input', () => QuoteInput, { description: 'Events to calculate the price of, and a discount code.' }) input: QuoteInput,
    @Ctx() context: Context,
  ): Promise<Quote> {
    return quote(context, input);
  }

  @FieldResolver(() => [QuoteItem], {
    description: 'Items in this order: registration fee of the tournament, fees of the events, discounts on these fees.',
  })
  items(@Root() { items }: Quote): QuoteItem[] {
    return items;
  }

  @FieldResolver(() => [PaymentOption], {
    description: 'Payment methods of the tournament. Empty if the total is zero, or if no payment method is set up.',
  })
  methods(@Root() { methods }: Quote): PaymentOption[] {
    return methods;
  }
}
