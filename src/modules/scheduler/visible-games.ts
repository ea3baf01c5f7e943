import type { RecordOptions } from '../../kernel/declare/options.js';

/**
 * Everybody sees public games; a user also those by invitation that are theirs, that they play in or wait for, or that they are invited
 * to (decision 32). Super admins see all.
 */
export const visibleGames: NonNullable<RecordOptions['visible']> = ({ user }, param) => {
  if (!user) return 'not r.is_invite_only';
  if (user.isSuperAdmin) return null;
  const me = param(user.id);
  const lists = ['player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];
  return `(not r.is_invite_only or r.owner_id = ${me}${lists.map((list) => ` or r.${list} @> array[${me}]::text[]`).join('')})`;
};
