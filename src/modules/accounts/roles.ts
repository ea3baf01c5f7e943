import type { Context } from '../../kernel/context.js';
import { reject } from '../../kernel/errors.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf } from '../../kernel/meta.js';
import { update } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';
import { Role } from '../reference/role.js';
import { User } from './user.js';

/** The roles of many users in one statement: those held directly, and what these inherit at any depth. */
const heldRoles = (columns: readonly string[]) => `
  with recursive held(user_id, role_id) as (
    select u.id, unnest(u.role_ids) from app_user u where u.id = any($1)
    union select held.user_id, unnest(role.inherited_ids) from held join role on role.id = held.role_id)
  select held.user_id as "$user", ${selectionOf(metaOf(Role), columns)} from held join role r on r.id = held.role_id order by r.position, r.id`;

/** The roles of a user, inherited ones included; one statement for all users whom a request asks about. */
export const rolesOf = ({ loaders, sql }: Context, userId: string, columns: readonly string[]): Promise<Row[]> =>
  loaders.batch<Row[]>(`roles of users ${columns.join()}`, async (ids) => {
    const rows = await sql.rows(heldRoles(columns), [ids]);
    const byUser = Map.groupBy(rows, ({ $user }) => $user);
    return ids.map((id) => byUser.get(id) ?? []);
  })(userId);

/** Gives or takes a role; whoever is signed in as that user has the change with the next request. */
export async function changeRoles(
  context: Context,
  userId: string,
  roleId: string,
  change: 'grant' | 'revoke',
  returning: readonly string[],
): Promise<Row> {
  const { sql, services } = context;
  if (!(await sql.row('select id from role where id = $1', [roleId]))) reject('roleId', 'the id of a role');
  const others = 'array_remove(role_ids, $2)';
  await sql.rows(`update app_user set role_ids = ${change === 'grant' ? `array_append(${others}, $2)` : others} where id = $1`, [
    userId,
    roleId,
  ]);
  services.identifier.forget();
  return update(context, User, userId, {}, returning);
}
