/** The columns of everybody who has to do with a game, for typed statements. */
export const memberColumns = [
  'player_ids as playerIds',
  'waiting_ids as waitingIds',
  'invited_ids as invitedIds',
  'invited_by_email_ids as invitedByEmailIds',
] as const;

interface Lists {
  playerIds: readonly string[];
  waitingIds: readonly string[];
  invitedIds: readonly string[];
  invitedByEmailIds: readonly string[];
}

/** Everybody who plays in a game, waits for a place or is invited. */
export const membersOf = ({ playerIds, waitingIds, invitedIds, invitedByEmailIds }: Lists): string[] => [
  ...playerIds,
  ...waitingIds,
  ...invitedIds,
  ...invitedByEmailIds,
];
