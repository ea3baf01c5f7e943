import { Field, Float, ObjectType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars.js';

const count = 'A whole number, which may be larger than an Int holds.';

@ObjectType({ description: 'How many reads the old server was asked, too, by what became of them.' })
export class ShadowReads {
  @Field(() => Float, { description: `Both servers gave the same answer. ${count}` })
  same!: number;

  @Field(() => Float, { description: `The old server gave another answer. ${count}` })
  different!: number;

  @Field(() => Float, { description: `The old server gave no answer, or none but that it is busy. ${count}` })
  unanswered!: number;

  @Field(() => Float, {
    description: `Nothing was compared: more reads came at once than the old server is asked, the answer was larger than 1 MB, or the client left. ${count}`,
  })
  dropped!: number;
}

@ObjectType({ description: 'The reads of one route of `/v1` that the old server was asked, too.' })
export class ShadowRoute {
  @Field(() => String, { description: 'Method and path, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => ShadowReads, { description: 'What became of its reads.' })
  reads!: ShadowReads;
}

@ObjectType({
  description:
    'One way in which answers of a route of `/v1` are not those of the old server. It has no values: they may be personal.',
})
export class ShadowDifference {
  @Field(() => String, { description: 'Method and path, such as `GET /v1/data/teams/{uuid}`.' })
  route!: string;

  @Field(() => String, {
    description:
      'In what the answers differ: in a few words, such as `status`, `header`, `value`, `type`, `missing key`, `extra key` or `array length`.',
  })
  kind!: string;

  @Field(() => String, {
    description: 'Where: `results[].seed` of the JSON, the name of a header, or empty for the whole. At most 300 letters.',
  })
  path!: string;

  @Field(() => Float, { description: `In how many answers. ${count}` })
  times!: number;

  @Field(() => Instant, { description: 'When the first of them was compared.' })
  firstSeenAt!: string;

  @Field(() => Instant, { description: 'When the last of them was compared.' })
  lastSeenAt!: string;
}

@ObjectType({
  description:
    'What the old server answers to a share of the live reads of `/v1`, where the operators have it asked: whether anything has changed.',
})
export class ShadowUsage {
  @Field(() => ShadowReads, { description: 'All reads that it was asked, too.' })
  reads!: ShadowReads;

  @Field(() => [ShadowRoute], { description: 'The same by routes, those with most differences first.' })
  routes!: ShadowRoute[];
}
