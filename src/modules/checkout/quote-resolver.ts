import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, user } from '../../kernel/declare/policy.js';
import { PaymentOption } from './payment-option.js';
import { quote } from './quote.js';
import { Quote, QuoteInput, QuoteItem } from './quote-values.js';

@Resolver(() => Quote)
export class QuoteResolver {
  @allow(user)
  @Query(() => Quote, {
    description:
      'Price of a registration of the signed-in user, before it is made: what `checkout` would invoice after `registerTeams` with the same events. That includes other items of the unpaid invoice of the registration, and entries that are not invoiced yet. Rules and errors are those of `registerTeams` and `checkout`, and rejected discount codes and refused partners count against the same limits. If the caller cannot see the players of the tournament, it does not report that the partner is in the event. Nothing is written and no place is kept.',
  })
  quote(
    @Arg('input', () => QuoteInput, { description: 'Events to price, and a discount code.' }) input: QuoteInput,
    @Ctx() context: Context,
  ): Promise<Quote> {
    return quote(context, input);
  }

  @FieldResolver(() => [QuoteItem], {
    description: 'The items: the registration fee of the tournament, the fees of the events, then the discount on each of them.',
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
