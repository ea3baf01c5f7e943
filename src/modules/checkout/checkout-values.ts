import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { reject } from '../../kernel/declare/errors.js';
import { heldBy } from '../../kernel/declare/input-rules.js';
import { allOf } from '../../kernel/declare/problems.js';
import { PaymentOption } from './payment-option.js';
import { PaymentProvider } from './payment-provider.js';

/** Names all that is wrong with what is checked out, as far as it needs no look at the registration. */
export function checkCheckout({ registrationId, discountCode }: Partial<CheckoutInput>, path: string): void {
  allOf(
    () => registrationId === '' && reject(`${path}registrationId`, 'the id of a registration'),
    () =>
      typeof discountCode === 'string' &&
      discountCode !== '' &&
      (discountCode.trim() === '' || discountCode.length > 255) &&
      reject(`${path}discountCode`, 'a code of 1 to 255 characters'),
  );
}

@heldBy(checkCheckout)
@InputType({ description: 'What is to be paid for.' })
export class CheckoutInput {
  @Field(() => ID, { description: 'Id of the registration for the tournament, of the signed-in user.' })
  registrationId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Discount code as the player typed it, in any case. It replaces another code on the same unpaid invoice. Null or an empty text removes the code of the invoice; if the field is absent, the code stays.',
  })
  discountCode?: string | null;

  @Field(() => PaymentProvider, {
    nullable: true,
    description:
      'The payment provider for which the payment is prepared, where both are open; without it the first one that is. BAD_INPUT for one that is not among the `methods`.',
  })
  provider?: PaymentProvider | null;
}

@ObjectType({ description: 'An invoice that is ready to be paid.' })
export class Checkout {
  invoiceId!: string;
  requestId!: string | null;

  @Field(() => [PaymentOption], {
    description: 'Payment methods of the tournament. Empty if there is nothing to pay, or no method is set up.',
  })
  methods!: PaymentOption[];
}

export type CheckedOut = Pick<Checkout, 'invoiceId' | 'requestId' | 'methods'>;
