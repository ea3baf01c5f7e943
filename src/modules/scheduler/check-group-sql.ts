import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import { lists, seesAllGroups } from './visible-groups.js';

const field = 'input.groupId';

interface Options {
  /** Like `/v1`: platforms and admins may set unknown groups, and for other users these are FORBIDDEN. */
  acceptsLegacyValues?: boolean;
  /** Group that the game already has. It stays valid. */
  before?: string | null;
}

/**
 * BAD_INPUT for the ID of an unknown group. For users, private groups count as unknown unless the user is a member, because the game would
 * make the user a member. Members are the owner of the group, and the owners, players, waiting users and invited users of its games.
 */
export async function checkGroup(
  { caller, sql }: Context,
  groupId: unknown,
  { acceptsLegacyValues = false, before = null }: Options = {},
): Promise<void> {
  if (typeof groupId !== 'string' || groupId === '' || groupId === before) return;
  const seesAll = seesAllGroups(caller);
  if (seesAll && acceptsLegacyValues) return;
  const isIn = lists.map((list) => `or g.${list} @> array[$2]::text[]`).join(' ');
  const row = await sql.row(
    readSql(
      ['game_group', 'game'],
      `select not is_private or owner_id = $2 or exists (select from game g where g.group_id = $1 and (g.owner_id = $2 ${isIn})) as "isOpen"
     from game_group where id = $1`,
    ),
    [groupId, caller.user?.id ?? ''],
    { isOpen: is.orNull(is.boolean) },
  );
  // Users may not set the ID of a group that does not exist yet: it could become private, and the user its member.
  if (seesAll ? row : row?.isOpen === true) return;
  if (acceptsLegacyValues)
    fail('FORBIDDEN', `${field}: only an existing group that is not private or that the user is a member of`, { field });
  reject(field, seesAll ? 'the id of a group' : 'the id of a group that is not private or that the user is a member of');
}
