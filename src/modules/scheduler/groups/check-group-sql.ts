import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { readSql } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Game } from '../games/game.js';
import { memberLists, seesAllGroups } from './visible-groups.js';

const field = 'input.groupId';

/**
 * Whether a user may join the games of a group: it is not private, or the user is a member. Members are the owner of the group, and the owners,
 * players, waiting users and invited users of its games. Null if there is no such group.
 */
async function isOpen({ caller, sql }: Context, groupId: string): Promise<boolean | null> {
  const isInLists = memberLists.map((list) => `or g.${list} @> array[$2]::text[]`).join(' ');
  const row = await sql.row(
    readSql(
      ['game_group', 'game'],
      `select not is_private or coalesce(owner_id = $2, false) or exists (select from game g where g.group_id = $1 and (g.owner_id = $2 ${isInLists})) as "isOpen"
     from game_group where id = $1`,
    ),
    [groupId, caller.user?.id ?? ''],
    { isOpen: is.boolean },
  );
  return row?.isOpen ?? null;
}

/** FORBIDDEN for users who join a game of a private group that they are not a member of, because the game would make them members. */
export async function checkMayJoin(context: Context, { groupId }: Pick<Game, 'groupId'>): Promise<void> {
  if (groupId === null || seesAllGroups(context.caller) || (await isOpen(context, groupId)) !== false) return;
  fail('FORBIDDEN', 'only for: members of the private group of the game, and invited users');
}

interface Options {
  /** Like `/v1`: platforms and admins may set unknown groups, and for other users these are FORBIDDEN. */
  acceptsLegacyValues?: boolean;
  /** Group that the game already has. It stays valid. */
  before?: string | null;
}

/**
 * BAD_INPUT for the ID of an unknown group. For users, private groups count as unknown unless the user is a member, because the game would
 * make the user a member.
 */
export async function checkGroup(
  context: Context,
  groupId: unknown,
  { acceptsLegacyValues = false, before = null }: Options = {},
): Promise<void> {
  if (typeof groupId !== 'string' || groupId === '' || groupId === before) return;
  const seesAll = seesAllGroups(context.caller);
  if (seesAll && acceptsLegacyValues) return;
  const isOpenGroup = await isOpen(context, groupId);
  // Users may not set the ID of a group that does not exist yet: it could become private, and the user its member.
  if (seesAll ? isOpenGroup !== null : isOpenGroup) return;
  if (acceptsLegacyValues)
    fail('FORBIDDEN', `${field}: only an existing group that is not private or that the user is a member of`, { field });
  reject(field, seesAll ? 'the id of a group' : 'the id of a group that is not private or that the user is a member of');
}
