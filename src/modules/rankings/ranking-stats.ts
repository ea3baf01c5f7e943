import { Field, Int, ObjectType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars/scalars.js';

@ObjectType({ description: 'Statistics of the ranking points.' })
export class RankingStats {
  @Field(() => Instant, { nullable: true, description: 'When points were last updated. Null if there are none.' })
  updatedAt!: string | null;

  @Field(() => Int, { description: 'Number of players with points.' })
  players!: number;

  @Field(() => Int, { description: 'Number of events with points.' })
  events!: number;
}
