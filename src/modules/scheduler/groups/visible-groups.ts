import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import type { Param } from '../../../kernel/declare/row.js';
import { visibleGames } from '../games/game-access.js';
import { isMember } from '../games/members.js';

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

const admin = permission('ADMIN');
/** Whether the caller sees all groups. Platforms and admins do. */
export const seesAllGroups = (caller: Caller): boolean => caller.platform !== null || admin.permitsCaller(caller);

/** Returns the SQL condition that at least one game in the group satisfies `condition`, which refers to the game as `g`. */
const someGame = (condition: string, { row, table }: Param): string =>
  `exists (select from ${table('game')} g where g.group_id = ${row}.id and ${condition})`;

/** Returns the SQL condition for visible groups. Private groups are visible to their owner and to users who see one of their games. */
export const visibleGroups: VisibleRows = (caller, param) => {
  if (seesAllGroups(caller)) return null;
  const { row } = param;
  const games = visibleGames(caller, param.for('g')) ?? 'true';
  return `(not ${row}.is_private or ${row}.owner_id = ${param(caller.user?.id ?? '')} or ${someGame(games, param)})`;
};

/**
 * Returns the SQL condition for groups in lists. Lists contain a private group only for its owner, and for the owners and members of its
 * games.
 */
export const listedGroups: VisibleRows = (caller, param) => {
  if (seesAllGroups(caller)) return null;
  const callerId = param(caller.user?.id ?? '');
  const { row } = param;
  return `(not ${row}.is_private or ${row}.owner_id = ${callerId} or ${someGame(`(g.owner_id = ${callerId} or ${isMember('g', callerId)})`, param)})`;
};
