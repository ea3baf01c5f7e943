import { Field, InputType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars.js';

@InputType('Period', { description: 'A span of time, open where an end is absent.' })
export class Period {
  @Field(() => Instant, { nullable: true, description: 'From here on.' })
  from?: string | null;

  @Field(() => Instant, { nullable: true, description: 'Up to here.' })
  until?: string | null;
}
