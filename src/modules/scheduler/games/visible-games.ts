import type { RecordOptions } from '../../../kernel/declare/fields/options.js';

/**
 * SQL condition for visible games (decision 32). Public games are visible to everybody. Games by invitation are visible to their owner, players,
 * waiting users and invited users. Super admins see all games.
 */
export const visibleGames: NonNullable<RecordOptions['visibleCondition']> = ({ user }, param) => {
  const { row } = param;
  if (!user) return `not ${row}.is_invite_only`;
  if (user.isSuperAdmin) return null;
  const callerId = param(user.id);
  const lists = ['player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];
  return `(not ${row}.is_invite_only or ${row}.owner_id = ${callerId}${lists.map((list) => ` or ${row}.${list} @> array[${callerId}]::text[]`).join('')})`;
};
