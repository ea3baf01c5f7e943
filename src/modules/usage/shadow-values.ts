import { Field, Float, ObjectType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars/scalars.js';

const countNote = 'Whole number that can exceed the range of Int.';

@ObjectType({ description: 'Number of reads that were mirrored to the old server, by outcome.' })
export class ShadowReads {
  @Field(() => Float, { description: `Number of reads for which both servers sent equal responses. ${countNote}` })
  same!: number;

  @Field(() => Float, { description: `Number of reads for which the servers sent different responses. ${countNote}` })
  different!: number;

  @Field(() => Float, {
    description: `Number of reads that the old server did not answer, or rejected as busy. ${countNote}`,
  })
  unanswered!: number;

  @Field(() => Float, {
    description: `Number of reads that were not compared, because of too many concurrent reads, a response over 1 MB, or a disconnected client. ${countNote}`,
  })
  dropped!: number;
}

@ObjectType({ description: 'Read requests to a `/v1` route that were mirrored to the old server.' })
export class ShadowRoute {
  @Field(() => String, { description: 'Method and path of the route, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => ShadowReads, { description: 'Number of reads of the route, by outcome.' })
  reads!: ShadowReads;
}

@ObjectType({
  description:
    'Difference between the responses of this service and the old server for a `/v1` route. It omits values, because they can be personal data.',
})
export class ShadowDifference {
  @Field(() => String, { description: 'Method and path of the route, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => String, {
    description:
      'Kind of the difference, such as `status`, `header`, `value`, `type`, `missing key`, `extra key` or `array length`.',
  })
  kind!: string;

  @Field(() => String, {
    description:
      'Location of the difference: a path in the JSON such as `results[].seed`, or the name of a header. Empty if the responses as a whole differ. At most 300 characters.',
  })
  path!: string;

  @Field(() => Float, { description: `Number of responses with the difference. ${countNote}` })
  times!: number;

  @Field(() => Instant, { description: 'When the difference was first found.' })
  firstSeenAt!: string;

  @Field(() => Instant, { description: 'When the difference was last found.' })
  lastSeenAt!: string;
}

@ObjectType({
  description:
    'Comparison of live responses of `/v1` with those of the old server. Operators can configure which share of the reads is mirrored to the old server.',
})
export class ShadowUsage {
  @Field(() => ShadowReads, { description: 'Total number of reads that were mirrored to the old server, by outcome.' })
  reads!: ShadowReads;

  @Field(() => [ShadowRoute], { description: 'Reads per route, most differences first.' })
  routes!: ShadowRoute[];
}
