import { registerEnumType } from 'type-graphql';

/** Kinds of reactions, in the order of section 2.13. */
export const ReactionKind = {
  LIKE: 'LIKE',
  INTERESTING: 'INTERESTING',
  FUNNY: 'FUNNY',
  FIRE: 'FIRE',
  WOW: 'WOW',
  DISLIKE: 'DISLIKE',
  SAD: 'SAD',
  ANGRY: 'ANGRY',
  CONFUSED: 'CONFUSED',
  HEART: 'HEART',
  CELEBRATE: 'CELEBRATE',
} as const;
export type ReactionKind = keyof typeof ReactionKind;

export const reactionKinds: readonly ReactionKind[] = Object.values(ReactionKind);

registerEnumType(ReactionKind, {
  name: 'ReactionKind',
  description: 'Kind of a reaction.',
  valuesConfig: {
    LIKE: { description: 'The user likes it.' },
    INTERESTING: { description: 'The user finds it interesting.' },
    FUNNY: { description: 'The user finds it funny.' },
    FIRE: { description: 'The user is enthusiastic about it.' },
    WOW: { description: 'The user is amazed.' },
    DISLIKE: { description: 'The user dislikes it.' },
    SAD: { description: 'It makes the user sad.' },
    ANGRY: { description: 'It makes the user angry.' },
    CONFUSED: { description: 'It confuses the user.' },
    HEART: { description: 'The user loves it.' },
    CELEBRATE: { description: 'The user celebrates it.' },
  },
});
