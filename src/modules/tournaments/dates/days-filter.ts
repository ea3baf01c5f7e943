import { Field, InputType } from 'type-graphql';
import { Day, Instant } from '../../../kernel/declare/scalars/scalars.js';

@InputType('TournamentDaysFilter', {
  description: 'Conditions on the days of a tournament. At least one day must meet all conditions.',
})
export class DaysFilter {
  @Field(() => Day, { nullable: true, description: 'On or after this day.' })
  gte?: string | null;

  @Field(() => Day, { nullable: true, description: 'On or before this day.' })
  lte?: string | null;
}

@InputType('TournamentTimesFilter', {
  description:
    "Conditions on the time from the start of a tournament's first day to the end of its last day. At least one instant must meet all conditions.",
})
export class TimesFilter {
  @Field(() => Instant, { nullable: true, description: 'At or after this instant.' })
  gte?: string | null;

  @Field(() => Instant, { nullable: true, description: 'At or before this instant.' })
  lte?: string | null;
}
