import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What became of a mail.' })
export class MailReceipt {
  @Field(() => Boolean, {
    description: 'A mail is on its way; the same for addresses that were known, and for those that are not.',
  })
  isMailSent!: boolean;
}
