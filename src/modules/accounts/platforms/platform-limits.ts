import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { isAdministrator } from '../../../kernel/declare/policy/caller.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { limitRules } from '../limits/limit-rules.js';
import { Platform } from './platform.js';

@ObjectType({ description: 'Limit that applies to a platform.' })
export class PlatformLimit {
  @Field(() => String, { description: 'Name of the limit in the configuration, such as `requests.platform` in `RATE_LIMITS`.' })
  limit!: string;

  @Field(() => String, { description: 'What the limit counts.' })
  description!: string;

  @Field(() => Int, { description: 'Maximum count per period or, without a period, at any one time.' })
  maximum!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Period in seconds. Null for the limits on the number and the total cost of open subscriptions, which apply at any time.',
  })
  period!: number | null;
}

/** Limits that apply to the requests of a platform or its keys. */
const rules = ['requests.platform', 'platform.passwords', 'platform.lookups', 'platform.contact', 'key.attempts'] as const;

/** Returns the configured limits, which are the same for all platforms. */
const limitsIn = ({ rateLimits, streamsPerCaller, streamCosts }: Context['services']['settings']): PlatformLimit[] => [
  ...rules.flatMap((rule) => {
    const quota = rateLimits[rule];
    return quota
      ? [{ limit: rule, description: limitRules[rule].description, maximum: quota.points, period: quota.duration }]
      : [];
  }),
  {
    limit: 'STREAMS_PER_CALLER',
    description: 'Open subscriptions with the token of the platform, in each process.',
    maximum: streamsPerCaller,
    period: null,
  },
  {
    limit: 'STREAM_COST_PER_CALLER',
    description: 'Total cost of the open subscriptions with the token of the platform, in each process.',
    maximum: streamCosts.perCaller,
    period: null,
  },
];

@Resolver(() => Platform)
export class PlatformLimitFields {
  @FieldResolver(() => [PlatformLimit], {
    nullable: true,
    description:
      'Limits that apply to the platform. Disabled limits are omitted. Visible to the platform itself and users with the role ADMIN. Null for other callers.',
  })
  @readsColumns('id')
  limits(@Root() { id }: Pick<Platform, 'id'>, @Ctx() { caller, services }: Context): PlatformLimit[] | null {
    return caller.platform?.id === id || isAdministrator(caller) ? limitsIn(services.settings) : null;
  }
}
