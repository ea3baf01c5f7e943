import { Field, ID, Int, ObjectType } from 'type-graphql';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { Instant } from '../../../kernel/declare/scalars/scalars.js';
import { connectionType } from '../../../kernel/serve/connection.js';

export const FailedMessageKind = enumeration('FailedMessageKind', 'Kind of failed message.', {
  EMAIL: 'Email.',
  TEXT: 'Text message.',
});
export type FailedMessageKind = keyof typeof FailedMessageKind;

export const FailedMessageState = enumeration('FailedMessageState', 'State of a message that was not sent.', {
  RETRYING: 'Another attempt will follow.',
  DEAD: 'The message was rejected, or the last attempt failed.',
});
export type FailedMessageState = keyof typeof FailedMessageState;

const reasonDescription = 'Reason for the last failure, without links, codes or addresses.';

@ObjectType({ description: 'Email or text message that was not sent. Deleted after 30 days.' })
export class FailedMessage {
  @Field(() => ID, { description: 'ID of the message, for `retryFailedMessage`.' })
  id!: string;

  @Field(() => FailedMessageKind, { description: 'Kind of the message.' })
  kind!: FailedMessageKind;

  @Field(() => FailedMessageState, { description: 'State of the message. Determines whether another attempt follows.' })
  state!: FailedMessageState;

  @Field(() => String, { description: 'Domain of the email address, or `phone` for text messages.' })
  recipient!: string;

  @Field(() => String, { nullable: true, description: 'Subject of the email. Null for text messages.' })
  subject!: string | null;

  @Field(() => Int, { description: 'Number of attempts.' })
  attempts!: number;

  @Field(() => String, { description: reasonDescription })
  reason!: string;

  @Field(() => Instant, {
    description: 'Time of the last failure. In the state RETRYING, the time when the last attempt started.',
  })
  failedAt!: string;

  @Field(() => Instant, { nullable: true, description: 'Time of the next attempt. Null in the state DEAD.' })
  nextAttemptAt!: string | null;
}

@ObjectType({ description: 'Messages that were queued again.' })
export class RetriedMessages {
  @Field(() => Int, { description: 'Number of messages.' })
  count!: number;
}

@ObjectType({ description: 'Jobs that were queued again.' })
export class RetriedJobs {
  @Field(() => Int, { description: 'Number of jobs.' })
  count!: number;
}

@ObjectType({ description: 'Background job whose last attempt failed. Deleted after 7 days.' })
export class FailedJob {
  @Field(() => ID, { description: 'ID of the job, for `retryFailedJob`.' })
  id!: string;

  @Field(() => String, { description: 'Name of the queue, such as `chore-forget-audit`.' })
  queue!: string;

  @Field(() => Int, { description: 'Number of attempts.' })
  attempts!: number;

  @Field(() => String, { description: reasonDescription })
  reason!: string;

  @Field(() => Instant, { description: 'Time of the last failure.' })
  failedAt!: string;
}

const failedConnection = (name: string, item: object, many: string) =>
  connectionType({
    name,
    item,
    description: `A page of ${many}.`,
    edgeDescription: `Item in a list of ${many}, with its cursor.`,
    node: { meaning: 'The item.' },
  });

export const failedMessageConnection = failedConnection('FailedMessage', FailedMessage, 'failed messages');
export const failedJobConnection = failedConnection('FailedJob', FailedJob, 'failed jobs');
