import { Field, Int, ObjectType } from 'type-graphql';
import { ReactionKind, reactionKinds } from './reaction-kind.js';

@ObjectType({ description: 'Number of reactions of one kind.' })
export class ReactionCount {
  @Field(() => ReactionKind, { description: 'Kind of the reactions.' })
  kind!: ReactionKind;

  @Field(() => Int, { description: 'Number of users with this reaction.' })
  count!: number;
}

/** Counts of all kinds in the order of section 2.13, including kinds without reactions. */
export const countsOf = (countByKind: ReadonlyMap<string, number>): ReactionCount[] =>
  reactionKinds.map((kind) => ({ kind, count: countByKind.get(kind) ?? 0 }));
