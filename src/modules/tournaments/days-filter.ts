import { Field, InputType } from 'type-graphql';
import { Day, Instant } from '../../kernel/declare/scalars.js';

@InputType('TournamentDaysFilter', {
  description: 'Conditions on the days of a tournament. One of its days has to meet all conditions given.',
})
export class DaysFilter {
  @Field(() => Day, { nullable: true, description: 'This day or a later one.' })
  gte?: string | null;

  @Field(() => Day, { nullable: true, description: 'This day or an earlier one.' })
  lte?: string | null;
}

@InputType('TournamentTimesFilter', {
  description:
    'Conditions on the moments from the start of the first day of a tournament to the end of its last day. One of them has to meet all conditions given.',
})
export class TimesFilter {
  @Field(() => Instant, { nullable: true, description: 'This moment or a later one.' })
  gte?: string | null;

  @Field(() => Instant, { nullable: true, description: 'This moment or an earlier one.' })
  lte?: string | null;
}
