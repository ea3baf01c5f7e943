import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { reject } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { PaymentOption, PaymentProvider } from '../payments/payment-choices.js';

/** Validates the input of a checkout without reading the database. Throws one error that lists all problems. */
export function checkCheckout({ registrationId, discountCode }: Partial<CheckoutInput>, path: string): void {
  runChecks(
    () => registrationId === '' && reject(`${path}registrationId`, 'the id of a registration'),
    () =>
      typeof discountCode === 'string' &&
      discountCode !== '' &&
      (discountCode.trim() === '' || discountCode.length > 255) &&
      reject(`${path}discountCode`, 'a code of 1 to 255 characters'),
  );
}

@validatedBy(checkCheckout)
@InputType({ description: 'Registration to check out.' })
export class CheckoutInput {
  @Field(() => ID, { description: 'ID of a tournament registration of the signed-in user.' })
  registrationId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Discount code that the player entered. Case is ignored. It replaces any other code on the same unpaid invoice. Null or an empty string removes the code from the invoice. If the field is absent, the invoice keeps its code.',
  })
  discountCode?: string | null;

  @Field(() => PaymentProvider, {
    nullable: true,
    description:
      'Payment provider. Default: the first available provider. BAD_INPUT if no option in `Checkout.methods` uses the provider.',
  })
  provider?: PaymentProvider | null;
}

@ObjectType({ description: 'Invoice and its payment methods.' })
export class Checkout {
  invoiceId!: string;
  requestId!: string | null;

  @Field(() => [PaymentOption], {
    description: 'Payment methods of the tournament. Empty if there is nothing to pay, or if no payment method is set up.',
  })
  methods!: PaymentOption[];

  @Field(() => [ID], {
    description: 'IDs of the discount items that `checkout` deleted from the invoice, because they belonged to an earlier code.',
  })
  deletedInvoiceItemIds!: string[];
}

export type CheckoutResult = Pick<Checkout, 'invoiceId' | 'requestId' | 'methods' | 'deletedInvoiceItemIds'>;
