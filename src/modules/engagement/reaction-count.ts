import { Field, Int, ObjectType } from 'type-graphql';
import { ReactionKind, reactionKinds } from './reaction-kind.js';

@ObjectType({ description: 'How many users react in one way.' })
export class ReactionCount {
  @Field(() => ReactionKind, { description: 'How they react.' })
  kind!: ReactionKind;

  @Field(() => Int, { description: 'How many of them do.' })
  count!: number;
}

/** The counts of all kinds, zero included, in the order of section 2.13. */
export const countsOf = (tally: ReadonlyMap<string, number>): ReactionCount[] =>
  reactionKinds.map((kind) => ({ kind, count: tally.get(kind) ?? 0 }));
