import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../kernel/declare/scalars.js';

@ObjectType({ description: 'What an invoice comes to in one currency.' })
export class InvoiceAmount {
  @Field(() => String, {
    nullable: true,
    description:
      'The currency in capitals, such as `USD`; null where no item names one, or beside other currencies for the items that name none.',
  })
  currency!: string | null;

  @Field(() => Money, { description: 'Sum of the items: unit prices times units, exact.' })
  total!: string;

  @Field(() => Money, {
    nullable: true,
    description:
      'Sum of the payments less the refunds, exact; reversed payments do not count. Null where the invoice has several currencies, because payments name none.',
  })
  paid!: string | null;

  @Field(() => Money, {
    nullable: true,
    description: 'What is still to be paid: the total less what was paid. Null where `paid` is.',
  })
  balance!: string | null;

  @Field(() => Money, {
    nullable: true,
    description:
      'What is asked to be paid back, exact: the items that were withdrawn (`refundRequestedAt`), at most what was paid beyond the others. Null where `paid` is.',
  })
  refundRequested!: string | null;
}
