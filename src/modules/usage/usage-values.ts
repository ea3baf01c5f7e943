import { Field, Float, ID, ObjectType } from 'type-graphql';
import { Day, Instant } from '../../kernel/declare/scalars.js';
import { UsageCaller } from './usage-caller.js';

const count = 'A whole number, which may be larger than an Int holds.';
const latency = 'in milliseconds from when the request came until its answer was handed over; null without calls.';

@ObjectType({ description: 'How many calls there were, how they ended and how long they took.' })
export class UsageCounts {
  @Field(() => Float, { description: `How many calls. ${count}` })
  calls!: number;

  @Field(() => Float, { description: `Calls that were answered with a status of 400 to 499. ${count}` })
  clientErrors!: number;

  @Field(() => Float, { description: `Calls that were answered with a status of 500 to 599. ${count}` })
  serverErrors!: number;

  @Field(() => Float, { nullable: true, description: `Half of the calls took no longer, ${latency}` })
  p50!: number | null;

  @Field(() => Float, { nullable: true, description: `95 of a hundred calls took no longer, ${latency}` })
  p95!: number | null;

  @Field(() => Float, { nullable: true, description: `99 of a hundred calls took no longer, ${latency}` })
  p99!: number | null;

  @Field(() => Instant, { nullable: true, description: 'When the first of them was answered; null without calls.' })
  firstSeenAt!: string | null;

  @Field(() => Instant, { nullable: true, description: 'When the last of them was answered; null without calls.' })
  lastSeenAt!: string | null;
}

@ObjectType({ description: 'The calls of one day.' })
export class UsageDay {
  @Field(() => Day, { description: 'The day, in UTC.' })
  day!: string;

  @Field(() => UsageCounts, { description: 'Its calls.' })
  counts!: UsageCounts;
}

@ObjectType({ description: 'GraphQL that does what a route of `/v1` does.' })
export class RouteReplacement {
  @Field(() => String, { nullable: true, description: 'In which case the route runs it; null where it always does.' })
  when!: string | null;

  @Field(() => [String], { description: 'The root fields that it asks for, such as `team`.' })
  rootFields!: readonly string[];

  @Field(() => String, { description: 'The whole document, with its fragments.' })
  document!: string;
}

@ObjectType({ description: 'The end of a route of `/v1`, as its answers announce it.' })
export class AnnouncedEnd {
  @Field(() => Instant, { description: 'From when on the route is deprecated.' })
  deprecatedAt!: string;

  @Field(() => Instant, { nullable: true, description: 'From when on it may be gone; null where that is not settled.' })
  sunsetAt!: string | null;

  @Field(() => String, { description: 'What the operators say of it.' })
  text!: string;

  @Field(() => String, { description: 'Where one reads more: an address of this service or a whole one.' })
  link!: string;

  @Field(() => Instant, {
    nullable: true,
    description: 'When a rehearsal begins, in which it is answered with 410; null for none.',
  })
  rehearsalBeginsAt!: string | null;

  @Field(() => Instant, { nullable: true, description: 'When that rehearsal ends.' })
  rehearsalEndsAt!: string | null;
}

@ObjectType({ description: 'The calls of one route of `/v1`, and what to call instead.' })
export class RouteUsage {
  @Field(() => String, { description: 'Method and path, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => UsageCounts, { description: 'Its calls on all of these days.' })
  counts!: UsageCounts;

  @Field(() => [UsageDay], { description: 'Its calls day by day, the earliest first; days without calls are left out.' })
  days!: UsageDay[];
}

@ObjectType({ description: 'Who called `/v1`.' })
export class CallerUsage {
  @Field(() => UsageCaller, { description: 'Of which kind the caller is.' })
  caller!: UsageCaller;

  @Field(() => ID, { nullable: true, description: 'Id of the platform, where it is one.' })
  platformId!: string | null;

  @Field(() => Float, { description: `How many routes were called. ${count}` })
  routes!: number;

  @Field(() => UsageCounts, { description: 'The calls.' })
  counts!: UsageCounts;
}

@ObjectType({
  description:
    'Two routes that are called together, or one that is called several times in a row: what could be one query. Only GETs that were answered are looked at, and of a platform that tells no users apart, the calls of all of them.',
})
export class RoutesTogether {
  @Field(() => [String], { description: 'Both routes by method and path; one where it is called several times in a row.' })
  routes!: string[];

  @Field(() => Float, {
    description: `How often one was called within a second after the other by the same user, or else by the same platform. ${count}`,
  })
  times!: number;

  @Field(() => Float, {
    description: 'Part of the calls of the rarer of the two that came together with the other, from 0 to 1.',
  })
  share!: number;
}

@ObjectType({ description: 'The calls of `/v1` in a number of days.' })
export class PlatformUsage {
  @Field(() => Day, { description: 'The first day, in UTC.' })
  from!: string;

  @Field(() => Day, { description: 'The last day, in UTC.' })
  to!: string;

  @Field(() => UsageCounts, { description: 'All calls.' })
  counts!: UsageCounts;
}
