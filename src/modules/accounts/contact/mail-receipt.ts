import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Result of a request that sends a mail.' })
export class MailReceipt {
  @Field(() => Boolean, {
    description: 'Always true. The response does not reveal whether an account with the e-mail address exists.',
  })
  isMailSent!: boolean;
}
