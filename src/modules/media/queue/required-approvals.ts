import type { Context } from '../../../kernel/declare/context.js';
import type { UserCaller } from '../../../kernel/declare/policy/caller.js';
import { failForbidden, userTokenWithRole } from '../../../kernel/declare/policy/policy-error.js';

/** Number of required approvals for creators who are not confirmers. */
const maxApprovals = 2;

/** Returns the number of approvals that a sponsor needs if this user creates it. Null if the user may not create sponsors (decision 22). */
export function requiredApprovals({ isSuperAdmin, roles }: Pick<UserCaller, 'isSuperAdmin' | 'roles'>): number | null {
  if (isSuperAdmin || roles.has('ADMIN')) return 0;
  if (!roles.has('CONTENT_CREATOR')) return null;
  return roles.has('CONTENT_CONFIRMER') ? 1 : maxApprovals;
}

/**
 * Returns the user whose roles determine the required approvals: the calling user, or the user `userId` if a platform sends no user token.
 */
const actingUser = async ({ caller, sql, services }: Context, userId: string | null): Promise<UserCaller | null> =>
  caller.user ?? (userId ? services.authenticator.findUser(sql, userId) : null);

/** Returns the creator of a sponsor and the number of required approvals. A platform without a user acts like an admin. */
export async function sponsorCreator(context: Context, userId: string | null): Promise<{ id: string | null; required: number }> {
  const user = await actingUser(context, userId);
  if (!user) return { id: null, required: 0 };
  const required = requiredApprovals(user);
  return required === null ? failForbidden(userTokenWithRole('CONTENT_CREATOR')) : { id: user.id, required };
}

/**
 * Returns the number of approvals that a changed sponsor needs, based on the roles of the editor. If the editor may not create sponsors,
 * the number is `maxApprovals`.
 */
export async function requiredApprovalsForEdit(context: Context, userId: string | null): Promise<number> {
  const user = await actingUser(context, userId);
  return user ? (requiredApprovals(user) ?? maxApprovals) : 0;
}
