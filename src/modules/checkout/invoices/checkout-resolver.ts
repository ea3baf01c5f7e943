import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, user } from '../../../kernel/declare/policy/policy.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { ProviderRequest } from '../payments/provider-request.js';
import { checkOut } from './check-out.js';
import { Checkout, CheckoutInput, type CheckoutResult } from './checkout-values.js';
import { Invoice } from './invoice.js';

@Resolver(() => Checkout)
export class CheckoutResolver {
  @allow(user)
  @Mutation(() => Checkout, {
    description:
      'Creates the invoice for a registration of the signed-in user, in the currency of the tournament. It contains the `registrationFee` of the tournament once, the `fee` of the event for each entry without an invoice, and the discount of a code. While nothing is paid, another call returns the same invoice with new entries added, and discount items keep their IDs. For the price before the registration, use `quote`. CONFLICT if there is nothing to check out, or if the code is disabled, outside its validity period, not for registrations, or used by `issued` invoices. BAD_INPUT for an unknown code.',
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
