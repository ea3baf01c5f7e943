import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { is } from '../../kernel/row-shape.js';
import { lists, seesAllGroups } from './visible-groups.js';

const field = 'input.groupId';

/**
 * FORBIDDEN if a user who is not a member of a private group sets it as the group of a game, because the game would make the user a member.
 * Members are the owner of the group, and the owners, players, waiting users and invited users of its games. Platforms and admins can set any
 * group.
 */
export async function checkGroup({ caller, sql }: Context, groupId: unknown, before: string | null = null): Promise<void> {
  if (typeof groupId !== 'string' || groupId === '' || groupId === before || seesAllGroups(caller)) return;
  const isIn = lists.map((list) => `or g.${list} @> array[$2]::text[]`).join(' ');
  const row = await sql.row(
    `select not is_private or owner_id = $2 or exists (select from game g where g.group_id = $1 and (g.owner_id = $2 ${isIn})) as "isOpen"
     from game_group where id = $1`,
    [groupId, caller.user?.id ?? ''],
    { isOpen: is.orNull(is.boolean) },
  );
  // A group that does not exist yet could become private, and the user its member.
  if (row?.isOpen !== true)
    fail('FORBIDDEN', `${field}: only a group that exists and is not private, or of which the user is a member`, { field });
}
