import { anyOf, expression, type RowReference, type SqlExpression } from '../../../kernel/declare/expression.js';

const memberLists = ['player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];

/** SQL condition that a user is a player, waiting user or invited user of a game. */
export const isMember = (game: RowReference, userId: SqlExpression): SqlExpression =>
  anyOf(memberLists.map((list) => expression`${game.column(list)} @> array[${userId}]::text[]`));

/** Columns with the members of a game, for Kysely queries. */
export const memberColumns = [
  'player_ids as playerIds',
  'waiting_ids as waitingIds',
  'invited_ids as invitedIds',
  'invited_by_email_ids as invitedByEmailIds',
] as const;

interface MemberLists {
  playerIds: readonly string[];
  waitingIds: readonly string[];
  invitedIds: readonly string[];
  invitedByEmailIds: readonly string[];
}

/** Players, waiting users and invited users of a game. */
export const membersOf = ({ playerIds, waitingIds, invitedIds, invitedByEmailIds }: MemberLists): string[] => [
  ...playerIds,
  ...waitingIds,
  ...invitedIds,
  ...invitedByEmailIds,
];
