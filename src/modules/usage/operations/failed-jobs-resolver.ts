import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { administrators, allow } from '../../../kernel/declare/policy/policy.js';
import { PageArguments } from '../../../kernel/serve/arguments.js';
import type { ConnectionSource } from '../../../kernel/serve/connection.js';
import type { UnsentMessage } from '../../../messaging/ports.js';
import { connectionOfJobs } from './connection-of-jobs.js';
import {
  FailedJob,
  FailedMessage,
  FailedMessageKind,
  FailedMessageState,
  failedJobConnection,
  failedMessageConnection,
  RetriedJobs,
  RetriedMessages,
} from './failed-jobs-values.js';

const kinds = { mail: 'EMAIL', text: 'TEXT' } as const satisfies Record<UnsentMessage['kind'], FailedMessageKind>;
const states = { dead: 'DEAD', retrying: 'RETRYING' } as const satisfies Record<UnsentMessage['state'], FailedMessageState>;
const storedKinds = { EMAIL: 'mail', TEXT: 'text' } as const;
const storedStates = { DEAD: 'dead', RETRYING: 'retrying' } as const;

const toFailedMessage = (message: UnsentMessage) => ({ ...message, kind: kinds[message.kind], state: states[message.state] });

const throwNotFound = (kind: string, id: string): never => fail('NOT_FOUND', `no ${kind} with the id ${id}`);

const messagesOf = ({ services }: Context) => services.failedMessages ?? fail('UNAVAILABLE', 'this process has no job queue');
const jobsOf = ({ services }: Context) => services.failedJobs ?? fail('UNAVAILABLE', 'this process has no job queue');

@Resolver()
export class FailedJobsResolver {
  @Query(() => failedMessageConnection, {
    nullable: true,
    description:
      'Emails and text messages that were not sent, newest first. The command `courtside jobs list` shows the same list.',
  })
  @allow(administrators)
  failedMessages(
    @Arg('kind', () => FailedMessageKind, { nullable: true, description: 'Kind of the messages. Default: all.' })
    kind: FailedMessageKind | null | undefined,
    @Arg('state', () => FailedMessageState, { nullable: true, description: 'State of the messages. Default: all.' })
    state: FailedMessageState | null | undefined,
    @Args(() => PageArguments) args: PageArguments,
    @Ctx() context: Context,
  ): Promise<ConnectionSource> {
    const filter = { ...(kind && { kind: storedKinds[kind] }), ...(state && { state: storedStates[state] }) };
    return connectionOfJobs(context.sql, 'failedMessages', messagesOf(context), args, filter, toFailedMessage);
  }

  @Query(() => failedJobConnection, {
    nullable: true,
    description:
      'Background jobs, such as daily jobs, whose last attempt failed, newest first. Omits jobs whose work was completed by a later job. Failed webhook deliveries are in `webhookDeliveries`.',
  })
  @allow(administrators)
  failedJobs(@Args(() => PageArguments) args: PageArguments, @Ctx() context: Context): Promise<ConnectionSource> {
    return connectionOfJobs(context.sql, 'failedJobs', jobsOf(context), args, {}, (job) => ({ ...job }));
  }

  @Mutation(() => FailedMessage, {
    description: 'Queues a DEAD message again. Returns the message as it was before. NOT_FOUND: no dead message has this ID.',
  })
  @allow(administrators)
  async retryFailedMessage(
    @Arg('id', () => ID, { description: 'ID of the message.' }) id: string,
    @Ctx() context: Context,
  ): Promise<FailedMessage> {
    const message = await messagesOf(context).retry(context.sql, id);
    return message ? toFailedMessage(message) : throwNotFound('dead message', id);
  }

  @Mutation(() => RetriedMessages, { description: 'Queues all DEAD messages again. Returns the number of messages.' })
  @allow(administrators)
  async retryFailedMessages(@Ctx() context: Context): Promise<RetriedMessages> {
    return { count: await messagesOf(context).retryAll(context.sql) };
  }

  @Mutation(() => FailedJob, {
    description: 'Queues a failed job again. Returns the job as it was before. NOT_FOUND: no failed job has this ID.',
  })
  @allow(administrators)
  async retryFailedJob(
    @Arg('id', () => ID, { description: 'ID of the job.' }) id: string,
    @Ctx() context: Context,
  ): Promise<FailedJob> {
    return (await jobsOf(context).retry(context.sql, id)) ?? throwNotFound('failed job', id);
  }

  @Mutation(() => RetriedJobs, { description: 'Queues all failed jobs again. Returns the number of jobs.' })
  @allow(administrators)
  async retryFailedJobs(@Ctx() context: Context): Promise<RetriedJobs> {
    return { count: await jobsOf(context).retryAll(context.sql) };
  }
}
