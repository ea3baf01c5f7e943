import { Field, ObjectType } from 'type-graphql';
import { UsageCounts } from './usage-values.js';

@ObjectType({
  description:
    'Operations that select a given root field of the graph. An operation with several root fields counts for each of them.',
})
export class FieldUsage {
  @Field(() => String, { description: 'Type of the operations: `query`, `mutation` or `subscription`.' })
  operation!: string;

  @Field(() => String, { description: 'Name of the root field, such as `tournaments`.' })
  field!: string;

  @Field(() => UsageCounts, {
    description: 'Counts for the operations. Errors and response times apply to the entire operation, not to the root field.',
  })
  counts!: UsageCounts;
}

@ObjectType({
  description:
    'Operations that were sent to `/graphql`. Errors are counted by the HTTP status of their error code, such as 400 for BAD_INPUT. The response time of a subscription is the time until it starts.',
})
export class GraphUsage {
  @Field(() => UsageCounts, { description: 'Counts for all operations, including those that were refused.' })
  counts!: UsageCounts;
}
