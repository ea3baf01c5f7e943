import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import type { Role } from '../../reference/records/role.js';
import { hasUnprovenEmail, revokePlatformAccess } from '../sign-in/elevated.js';
import { rolesOfUsers } from './held-roles-sql.js';
import { User } from './user.js';

/** Returns the direct and inherited roles of a user. Reads the roles of all users in a list with one statement. */
export const rolesOf = ({ loaders, sql }: Context, userId: string, columns: readonly string[]): Promise<RowOf<Role>[]> => {
  const loadRoles = async (ids: string[]) => {
    const rows = await rolesOfUsers(sql, ids, columns);
    const byUser = Map.groupBy(rows, ({ $user }) => $user);
    return ids.map((id) => byUser.get(id) ?? []);
  };
  return loaders.batchLoader<RowOf<Role>[]>('roles of users', loadRoles, columns.join())(userId);
};

interface RoleChange {
  userId: string;
  roleId: string;
  change: 'grant' | 'revoke';
  /** Email address of the user, which the caller repeats as a confirmation. */
  email?: string | null;
}

/**
 * Throws CONFLICT if the user has not confirmed the email address, unless `email` matches it. An unconfirmed mailbox could belong to a
 * platform.
 */
function checkEmail(user: User, email: string | null | undefined): void {
  if (!hasUnprovenEmail(user) || (email && normalizeEmail(email) === user.email)) return;
  const message = 'the user has not confirmed the e-mail address: ask the user for their address and send it as `email`';
  fail('CONFLICT', `email: ${message}`, { field: 'email' });
}

/**
 * Grants or revokes a role. The change also applies to existing tokens of the user. A grant of any role except USER revokes the access that
 * platforms have to the account. If the user has not confirmed the email address, such a grant requires `email`.
 */
export async function changeRoles(
  context: Context,
  { userId, roleId, change, email }: RoleChange,
  returning: readonly string[],
): Promise<RowOf<User>> {
  const { sql, services } = context;
  const role = await sql.first(sql.db.selectFrom('role').select(['id', 'title']).where('id', '=', roleId));
  if (!role) reject('roleId', 'the id of a role');
  const updatedUser = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return fail('NOT_FOUND', `no user with the id ${userId}`);
    const isElevating = change === 'grant' && role?.title !== 'USER';
    if (isElevating) checkEmail(user, email);
    const otherRoleIds = user.roleIds.filter((id) => id !== roleId);
    user.roleIds = change === 'grant' ? [...otherRoleIds, roleId] : otherRoleIds;
    if (isElevating) await revokePlatformAccess(sql, user);
    return saveEntity(context, user, returning);
  });
  services.authenticator.clearCaches();
  return updatedUser;
}
