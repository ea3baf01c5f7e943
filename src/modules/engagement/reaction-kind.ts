import { registerEnumType } from 'type-graphql';

/** The reactions of section 2.13, in the order in which it counts them. */
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
  description: 'How a user reacts to something.',
  valuesConfig: {
    LIKE: { description: 'They like it.' },
    INTERESTING: { description: 'They find it interesting.' },
    FUNNY: { description: 'They find it funny.' },
    FIRE: { description: 'They are on fire for it.' },
    WOW: { description: 'They are amazed.' },
    DISLIKE: { description: 'They dislike it.' },
    SAD: { description: 'It makes them sad.' },
    ANGRY: { description: 'It makes them angry.' },
    CONFUSED: { description: 'It confuses them.' },
    HEART: { description: 'They love it.' },
    CELEBRATE: { description: 'They celebrate it.' },
  },
});
