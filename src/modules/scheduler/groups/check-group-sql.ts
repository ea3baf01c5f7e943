import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { expression, mainRow, parameter, tableNamed } from '../../../kernel/declare/expression.js';
import { is } from '../../../kernel/row-shape.js';
import { readingSql } from '../../../kernel/statement.js';
import type { Game } from '../games/game.js';
import { isMember } from '../games/members.js';
import { seesAllGroups } from './visible-groups.js';

const field = 'input.groupId';

/**
 * Whether the user may join the games of a group: the group is not private, or the user is a member. Members are the owner of the group,
 * and the owners, players, waiting users and invited users of its games. Null if the group is unknown.
 */
async function isOpen({ caller, sql }: Context, groupId: string): Promise<boolean | null> {
  const [group, user] = [parameter(groupId), parameter(caller.user?.id ?? '')];
  const isOwnGame = expression`(g.owner_id = ${user} or ${isMember(mainRow.for('g'), user)})`;
  const row = await sql.row(
    ...readingSql(
      expression`select not is_private or coalesce(owner_id = ${user}, false) or exists (select from ${tableNamed('game')} g where g.group_id = ${group} and ${isOwnGame}) as "isOpen"
     from ${tableNamed('game_group')} where id = ${group}`,
    ),
    { isOpen: is.boolean },
  );
  return row?.isOpen ?? null;
}

/**
 * Throws FORBIDDEN if the group of the game is private and the user is not a member. Joining a game of the group would make the user a
 * member.
 */
export async function checkCanJoin(context: Context, { groupId }: Pick<Game, 'groupId'>): Promise<void> {
  if (groupId === null || seesAllGroups(context.caller) || (await isOpen(context, groupId)) !== false) return;
  fail('FORBIDDEN', 'only members of the private group and invited users can join the game');
}

interface CheckOptions {
  /**
   * Whether the rules of `/v1` apply: platforms and admins may set unknown groups, and other users get FORBIDDEN for groups that they may
   * not use.
   */
  acceptsLegacyValues?: boolean;
  /** Current group of the game, which is always accepted. */
  before?: string | null;
}

/**
 * Throws BAD_INPUT for an unknown group. For users, private groups count as unknown unless the user is a member, because owning a
 * game in the group makes the user a member.
 */
export async function checkGroup(
  context: Context,
  groupId: unknown,
  { acceptsLegacyValues = false, before = null }: CheckOptions = {},
): Promise<void> {
  if (typeof groupId !== 'string' || groupId === '' || groupId === before) return;
  const seesAll = seesAllGroups(context.caller);
  if (seesAll && acceptsLegacyValues) return;
  const isOpenGroup = await isOpen(context, groupId);
  // Users cannot set an unused ID. Otherwise, they would become members of a private group that later gets this ID.
  if (seesAll ? isOpenGroup !== null : isOpenGroup) return;
  if (acceptsLegacyValues)
    fail('FORBIDDEN', `${field}: only an existing group that is not private or that the user is a member of`, { field });
  reject(field, seesAll ? 'the id of a group' : 'the id of a group that is not private or that the user is a member of');
}
