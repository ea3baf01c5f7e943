import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../kernel/declare/scalars.js';

@ObjectType({
  description:
    'What a player who has withdrawn after paying is to get back on one invoice. It is asked for, no money has moved: the platform pays it back, records that as a payment that `isRefund`, and then it is nothing.',
})
export class Refund {
  invoiceId!: string;

  @Field(() => Money, {
    description: 'The amount, exact: the lines that were withdrawn, at most what was paid beyond the others.',
  })
  amount!: string;

  @Field(() => String, { nullable: true, description: 'The currency of the invoice, such as `USD`; null where it names none.' })
  currency!: string | null;
}
