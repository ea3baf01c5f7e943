import {
  alwaysTrue,
  expression,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { permission } from '../../../kernel/declare/policy/policy.js';
import { visibleGames } from '../games/game-access.js';
import { isMember } from '../games/members.js';

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

const admin = permission('ADMIN');
/** Whether the caller sees all groups. True for platforms and admins. */
export const seesAllGroups = (caller: Caller): boolean => caller.platform !== null || admin.permitsCaller(caller);

/** Returns the SQL condition that at least one game in the group satisfies `condition`, which refers to the game as `g`. */
const someGame = (condition: SqlExpression, row: RowReference): SqlExpression =>
  expression`exists (select from ${tableNamed('game')} g where g.group_id = ${row}.id and ${condition})`;

/** Returns the SQL condition for visible groups. Private groups are visible to their owner and to users who see one of their games. */
export const visibleGroups: VisibleRows = (caller, row) => {
  if (seesAllGroups(caller)) return null;
  const games = visibleGames(caller, row.for('g')) ?? alwaysTrue;
  return expression`(not ${row}.is_private or ${row}.owner_id = ${parameter(caller.user?.id ?? '')} or ${someGame(games, row)})`;
};

/**
 * Returns the SQL condition for groups in lists. Lists contain a private group only for its owner, and for the owners and members of its
 * games.
 */
export const listedGroups: VisibleRows = (caller, row) => {
  if (seesAllGroups(caller)) return null;
  const callerId = parameter(caller.user?.id ?? '');
  const isOwnGame = expression`(g.owner_id = ${callerId} or ${isMember(row.for('g'), callerId)})`;
  return expression`(not ${row}.is_private or ${row}.owner_id = ${callerId} or ${someGame(isOwnGame, row)})`;
};
