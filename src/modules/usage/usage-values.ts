import { Field, Float, ID, ObjectType } from 'type-graphql';
import { Day, Instant } from '../../kernel/declare/scalars/scalars.js';
import { UsageCaller } from './usage-group.js';

const countNote = 'Whole number that can exceed the range of Int.';
const percentileNote = 'of the response times, in milliseconds. Null if there were no calls.';

@ObjectType({ description: 'Call count, error counts, and response times.' })
export class UsageCounts {
  @Field(() => Float, { description: `Number of calls. ${countNote}` })
  calls!: number;

  @Field(() => Float, { description: `Number of calls with a response status from 400 to 499. ${countNote}` })
  clientErrors!: number;

  @Field(() => Float, { description: `Number of calls with a response status from 500 to 599. ${countNote}` })
  serverErrors!: number;

  @Field(() => Float, { nullable: true, description: `50th percentile ${percentileNote}` })
  p50!: number | null;

  @Field(() => Float, { nullable: true, description: `95th percentile ${percentileNote}` })
  p95!: number | null;

  @Field(() => Float, { nullable: true, description: `99th percentile ${percentileNote}` })
  p99!: number | null;

  @Field(() => Instant, { nullable: true, description: 'When the first call ended. Null if there were no calls.' })
  firstSeenAt!: string | null;

  @Field(() => Instant, { nullable: true, description: 'When the last call ended. Null if there were no calls.' })
  lastSeenAt!: string | null;
}

@ObjectType({ description: 'Calls of one day.' })
export class UsageDay {
  @Field(() => Day, { description: 'Day, in UTC.' })
  day!: string;

  @Field(() => UsageCounts, { description: 'Counts for the day.' })
  counts!: UsageCounts;
}

@ObjectType({ description: 'GraphQL operation that replaces a route of `/v1`.' })
export class RouteReplacement {
  @Field(() => String, {
    nullable: true,
    description: 'Condition under which the route runs the operation. Null if the route always runs the operation.',
  })
  when!: string | null;

  @Field(() => [String], { description: 'Root fields of the operation, such as `team`.' })
  rootFields!: readonly string[];

  @Field(() => String, { description: 'Complete document, including fragments.' })
  document!: string;
}

@ObjectType({ description: 'Deprecation of a route of `/v1`, as announced in its responses.' })
export class AnnouncedEnd {
  @Field(() => Instant, { description: 'When the route becomes or became deprecated.' })
  deprecatedAt!: string;

  @Field(() => Instant, { nullable: true, description: 'When the route may be removed. Null if no date is set.' })
  sunsetAt!: string | null;

  @Field(() => String, { description: 'Message from the operators to developers.' })
  text!: string;

  @Field(() => String, { description: 'URL with more information, or a path of this service.' })
  link!: string;

  @Field(() => Instant, {
    nullable: true,
    description: 'Start of a rehearsal, during which the route responds with status 410. Null if no rehearsal is planned.',
  })
  rehearsalBeginsAt!: string | null;

  @Field(() => Instant, { nullable: true, description: 'End of the rehearsal. Null if no rehearsal is planned.' })
  rehearsalEndsAt!: string | null;
}

@ObjectType({ description: 'Usage of a route of `/v1`, and its replacements.' })
export class RouteUsage {
  @Field(() => String, { description: 'Method and path of the route, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => UsageCounts, { description: 'Counts for the route over all days.' })
  counts!: UsageCounts;

  @Field(() => [UsageDay], { description: 'Counts for the route per day, earliest first. Omits days without calls.' })
  days!: UsageDay[];
}

@ObjectType({ description: 'Calls of `/v1`, or operations of the graph, by one caller.' })
export class CallerUsage {
  @Field(() => UsageCaller, { description: 'Kind of caller.' })
  caller!: UsageCaller;

  @Field(() => ID, { nullable: true, description: 'ID of the platform. Null for other callers.' })
  platformId!: string | null;

  @Field(() => Float, {
    description: `Number of distinct routes that were called, or of distinct root fields of the graph. ${countNote}`,
  })
  routes!: number;

  @Field(() => UsageCounts, { description: 'Counts for the caller.' })
  counts!: UsageCounts;
}

@ObjectType({
  description:
    'Two routes that are called together, or one route that is called repeatedly. One query can replace these calls. Counts only successful GET requests. Calls of a platform without user tokens count as calls of one caller.',
})
export class RoutesTogether {
  @Field(() => [String], { description: 'Method and path of both routes, or of the single route that is called repeatedly.' })
  routes!: string[];

  @Field(() => Float, {
    description: `Number of times that the same user, or else the same platform, called both routes within a second. ${countNote}`,
  })
  times!: number;

  @Field(() => Float, {
    description: "Share of the less frequent route's calls that co-occurred with the other route, from 0 to 1.",
  })
  share!: number;
}

@ObjectType({ description: 'Usage of `/v1` and of the graph over a range of days.' })
export class PlatformUsage {
  @Field(() => Day, { description: 'First day, in UTC.' })
  from!: string;

  @Field(() => Day, { description: 'Last day, in UTC.' })
  to!: string;

  @Field(() => UsageCounts, { description: 'Counts for all calls.' })
  counts!: UsageCounts;
}
