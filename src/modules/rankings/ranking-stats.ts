import { Field, Int, ObjectType } from 'type-graphql';
import { Instant } from '../../kernel/declare/scalars.js';

@ObjectType({ description: 'How much the rankings are made of.' })
export class RankingStats {
  @Field(() => Instant, { nullable: true, description: 'When points were last written; null as long as there are none.' })
  updatedAt!: string | null;

  @Field(() => Int, { description: 'How many players have points.' })
  players!: number;

  @Field(() => Int, { description: 'For how many events there are points.' })
  events!: number;
}
