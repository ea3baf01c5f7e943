import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Result of marking all notifications of a user as read.' })
export class MarkedNotifications {
  @Field(() => Int, { description: 'Number of notifications that were unread before.' })
  count!: number;
}
