import { Field, InputType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars.js';

@InputType('TournamentDaysFilter', {
  description:
    'Conditions on the moments from the begin of a first day to the end of a last one. One of them has to meet all conditions given.',
})
export class DaysFilter {
  @Field(() => Instant, { nullable: true, description: 'Later than this, or at it.' })
  gte?: string | null;

  @Field(() => Instant, { nullable: true, description: 'Earlier than this, or at it.' })
  lte?: string | null;
}
