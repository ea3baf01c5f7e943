import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import type { Row } from '../../kernel/session.js';
import { update } from '../../kernel/write/save.js';
import { rolesOfUsers } from './held-roles-sql.js';
import { User } from './user.js';

/** The roles of a user, inherited ones included; one statement for all users whom a request asks about. */
export const rolesOf = ({ loaders, sql }: Context, userId: string, columns: readonly string[]): Promise<Row[]> =>
  loaders.batch<Row[]>(`roles of users ${columns.join()}`, async (ids) => {
    const rows = await rolesOfUsers(sql, ids, columns);
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
  const role = await sql.first(sql.db.selectFrom('role').select('id').where('id', '=', roleId));
  if (!role) reject('roleId', 'the id of a role');
  const others = raw<string[]>`array_remove(role_ids, ${roleId})`;
  const held = change === 'grant' ? raw<string[]>`array_append(${others}, ${roleId})` : others;
  await sql.run(sql.db.updateTable('app_user').set({ role_ids: held }).where('id', '=', userId));
  services.identifier.forget();
  return update(context, User, userId, {}, returning);
}
