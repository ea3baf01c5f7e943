import { Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { administrators, allow } from '../../../kernel/declare/policy/policy.js';
import { Instant } from '../../../kernel/declare/scalars/scalars.js';

@ObjectType({ description: 'State of the database server.' })
export class DatabaseHealth {
  @Field(() => String, { description: 'Version of PostgreSQL, such as `18.1`.' })
  version!: string;

  @Field(() => Int, { description: 'Number of open connections to the server, from all clients.' })
  connections!: number;

  @Field(() => Int, {
    description:
      'Maximum number of connections, excluding reserved ones. A pooler in front of the server can have a different limit.',
  })
  maxConnections!: number;

  @Field(() => Float, { description: 'Size of the database in bytes.' })
  size!: number;
}

@ObjectType({ description: 'State of a read replica.' })
export class ReplicaHealth {
  @Field(() => String, { description: 'Host and port.' })
  address!: string;

  @Field(() => Boolean, { description: 'Whether reads use the replica. Replicas that lag or do not respond are excluded.' })
  isUsed!: boolean;

  @Field(() => Float, {
    nullable: true,
    description: 'Replication lag in seconds, at most 600. Null if the replica does not respond.',
  })
  lag!: number | null;
}

@ObjectType({ description: 'State of a job queue.' })
export class QueueHealth {
  @Field(() => String, {
    description: 'Name of the queue: `mail`, `text`, or the name of a daily job, such as `chore-forget-audit`.',
  })
  queue!: string;

  @Field(() => Int, { description: 'Number of jobs that wait for their first attempt.' })
  waiting!: number;

  @Field(() => Int, { description: 'Number of running jobs.' })
  active!: number;

  @Field(() => Int, { description: 'Number of jobs that failed and will be retried.' })
  retrying!: number;

  @Field(() => Int, {
    description: 'Number of jobs that are not retried: the jobs in `failedJobs`, and the DEAD messages in `failedMessages`.',
  })
  failed!: number;

  @Field(() => Float, { nullable: true, description: 'Seconds since the oldest waiting job became due. Null if none is due.' })
  oldestWaiting!: number | null;
}

@ObjectType({
  description:
    'State of the process that responds, and of its databases and job queues. Values that cannot be read within two seconds are null.',
})
export class ServiceHealth {
  @Field(() => String, { description: 'Version of Courtside.' })
  release!: string;

  @Field(() => Instant, { description: 'When the process started.' })
  startedAt!: string;

  @Field(() => DatabaseHealth, { nullable: true, description: 'State of the primary database.' })
  database!: DatabaseHealth | null;

  @Field(() => Int, { nullable: true, description: 'Number of migrations of this release that have not run.' })
  pendingMigrations!: number | null;

  @Field(() => [ReplicaHealth], { description: 'State of the read replicas, measured four times a second.' })
  replicas!: ReplicaHealth[];

  @Field(() => [QueueHealth], { nullable: true, description: 'State of the job queues.' })
  queues!: QueueHealth[] | null;

  @Field(() => Int, { nullable: true, description: 'Number of pending webhook deliveries, including those of paused webhooks.' })
  pendingWebhookDeliveries!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of webhooks that the service paused after failures. Their `pauseReason` is FAILED or GONE.',
  })
  failedWebhooks!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Seconds since the process last read the change log to its end, up to 1 in normal operation. Null if the process does not read the change log.',
  })
  changeLogLag!: number | null;
}

@Resolver()
export class ServiceHealthResolver {
  @Query(() => ServiceHealth, {
    nullable: true,
    description: 'State of the service: release, database, migrations, replicas, queues and the change log.',
  })
  @allow(administrators)
  serviceHealth(@Ctx() { services }: Context): Promise<ServiceHealth> {
    return services.health();
  }
}
