/** Reactions by legacy number (section 2.13). */
export const reactionNumbers = {
  1: 'LIKE',
  2: 'INTERESTING',
  3: 'FUNNY',
  4: 'FIRE',
  5: 'WOW',
  6: 'HEART',
  7: 'CELEBRATE',
  100: 'DISLIKE',
  101: 'SAD',
  102: 'ANGRY',
  103: 'CONFUSED',
};

/** Legacy names of reactions by GraphQL name. */
export const reactionNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(reactionNumbers).map((kind) => [kind, `${kind}_REACTION_TYPE`]),
);

/** GraphQL names of reactions by legacy name. */
export const reactionsByName: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reactionNames).map(([kind, name]) => [name, kind]),
);
