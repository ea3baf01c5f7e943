import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Result of a request that sends a mail.' })
export class MailReceipt {
  @Field(() => Boolean, {
    description:
      'Always true, also for an unknown e-mail address, so that the response does not reveal whether an account exists.',
  })
  isMailSent!: boolean;
}
