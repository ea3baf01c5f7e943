import { Field, Int, ObjectType } from 'type-graphql';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { createdAt, id, ref, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';
import { NewsItem } from '../../news/news-item.js';

/** Kinds of reactions, in the order of section 2.13. */
export const ReactionKind = enumeration('ReactionKind', 'Kind of a reaction.', {
  LIKE: 'The user likes the item.',
  INTERESTING: 'The user finds the item interesting.',
  FUNNY: 'The user finds the item funny.',
  FIRE: 'The user is enthusiastic about the item.',
  WOW: 'The user is amazed.',
  DISLIKE: 'The user dislikes the item.',
  SAD: 'The item makes the user sad.',
  ANGRY: 'The item makes the user angry.',
  CONFUSED: 'The item confuses the user.',
  HEART: 'The user loves the item.',
  CELEBRATE: 'The user celebrates the item.',
});
export type ReactionKind = keyof typeof ReactionKind;

export const reactionKinds: readonly ReactionKind[] = Object.values(ReactionKind);

@ObjectType({ description: 'Number of reactions of one kind.' })
export class ReactionCount {
  @Field(() => ReactionKind, { description: 'Kind of the reactions.' })
  kind!: ReactionKind;

  @Field(() => Int, { description: 'Number of users with this reaction.' })
  count!: number;
}

/** Returns the counts of all kinds, including kinds without reactions, in the order of section 2.13 of the interface document. */
export const reactionCountsOf = (countByKind: ReadonlyMap<string, number>): ReactionCount[] =>
  reactionKinds.map((kind) => ({ kind, count: countByKind.get(kind) ?? 0 }));

@record(
  {
    table: 'reaction',
    one: 'reaction',
    many: 'reactions',
    read: [platform, user],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: ['one', 'many'],
    key: ['userId', 'newsItemId'],
    indexes: { kind: '(news_item_id, kind)', latest: '(news_item_id, created_at desc nulls last, id)' },
  },
  'Reaction of a user to a news item. Unique per user and item.',
)
export class Reaction {
  @id('ID of the reaction.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'reactions', manyDescription: 'Reactions of the user.' }, 'User who reacted.', {
    required: true,
  })
  userId!: string;

  @ref(
    () => NewsItem,
    { one: 'newsItem', many: 'reactions', manyDescription: 'Reactions to the news item.' },
    'News item that the user reacted to.',
    { required: true, index: false },
  )
  newsItemId!: string;

  @values(ReactionKind, 'Kind of the reaction.', { required: true })
  kind!: ReactionKind;

  @createdAt('When the user reacted. A new reaction updates the time.')
  createdAt!: string;
}
