import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, user } from '../../../kernel/declare/policy/policy.js';
import { PaymentOption } from '../payments/payment-option.js';
import { quote } from './quote.js';
import { Quote, QuoteInput, QuoteItem } from './quote-values.js';

@Resolver(() => Quote)
export class QuoteResolver {
  @allow(user)
  @Query(() => Quote, {
    description:
      'Price of a registration before it is created. It is the amount that `checkout` would invoice after `registerTeams` with the same events. Includes other items of the unpaid invoice of the registration, and entries that are not invoiced yet. Rules and errors are the same as for `registerTeams` and `checkout`. Rejected discount codes and partners count against the same limits. If the caller cannot see the players of the tournament, the quote does not report that a partner is already in an event. Writes nothing, and reserves no spot.',
  })
  quote(
    @Arg('input', () => QuoteInput, { description: 'Events to price, and a discount code.' }) input: QuoteInput,
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
    description: 'Payment methods of the tournament. Empty if the total is zero, or no method is set up.',
  })
  methods(@Root() { methods }: Quote): PaymentOption[] {
    return methods;
  }
}
