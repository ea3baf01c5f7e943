import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, user } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { checkOut } from './check-out.js';
import { type CheckedOut, Checkout, CheckoutInput } from './checkout-values.js';
import { Invoice } from './invoice.js';
import { ProviderRequest } from './provider-request.js';

@Resolver(() => Checkout)
export class CheckoutResolver {
  @allow(user)
  @Mutation(() => Checkout, {
    description:
      'Creates the invoice for a registration of the signed-in user: the `registrationFee` of the tournament once, and the `fee` of the event for each entry without an invoice, in the currency of the tournament, less the discount of a code. Called again while nothing is paid, it returns the same invoice with new entries added; items of a discount keep their IDs. `quote` gives the price before the registration. CONFLICT when nothing is left to check out, and for a code that is disabled, not valid yet or any more, not for registrations, or used up: each invoice with the code counts once, at most as many as were `issued`. BAD_INPUT for a code that the tournament does not have.',
  })
  checkout(
    @Arg('input', () => CheckoutInput, { description: 'The registration, and a discount code.' }) input: CheckoutInput,
    @Ctx() context: Context,
  ): Promise<CheckedOut> {
    return checkOut(context, input);
  }

  @FieldResolver(() => Invoice, { nullable: true, description: 'The invoice; its `balance` is what is to be paid.' })
  invoice(
    @Root() { invoiceId }: CheckedOut,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Invoice> | null> {
    return loaders.one(Invoice, columnsWanted(Invoice, info), invoiceId);
  }

  @FieldResolver(() => ProviderRequest, {
    nullable: true,
    description:
      'The payment as it is prepared for the payment provider of the platform: the provider, the amount, the currency and the account of the payee. Earlier requests for the same invoice are superseded. Null where nothing is to be paid, or no provider is open.',
  })
  request(
    @Root() { requestId }: CheckedOut,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ProviderRequest> | null> | null {
    return requestId === null ? null : loaders.one(ProviderRequest, columnsWanted(ProviderRequest, info), requestId);
  }
}
