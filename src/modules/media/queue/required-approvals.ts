import type { Context } from '../../../kernel/declare/context.js';
import type { UserCaller } from '../../../kernel/declare/policy/caller.js';
import { allowOnly, userTokenWithRole } from '../../../kernel/declare/policy/policy-error.js';

/** Required approvals for creators who are not confirmers. */
const maxApprovals = 2;

/** Number of approvals that a sponsor needs if this user creates it. Null if the user may not create sponsors (decision 22). */
export function requiredApprovals({ isSuperAdmin, roles }: Pick<UserCaller, 'isSuperAdmin' | 'roles'>): number | null {
  if (isSuperAdmin || roles.has('ADMIN')) return 0;
  if (!roles.has('CONTENT_CREATOR')) return null;
  return roles.has('CONTENT_CONFIRMER') ? 1 : maxApprovals;
}

/** User with the roles that decide: the caller, or the user with `userId` if a platform acts without a user token. */
const decidingUser = async ({ caller, sql, services }: Context, userId: string | null): Promise<UserCaller | null> =>
  caller.user ?? (userId ? services.identifier.findUser(sql, userId) : null);

/** Creator of a sponsor and the number of required approvals. A platform without a user acts like an admin. */
export async function sponsorCreator(context: Context, userId: string | null): Promise<{ id: string | null; required: number }> {
  const person = await decidingUser(context, userId);
  if (!person) return { id: null, required: 0 };
  const required = requiredApprovals(person);
  return required === null ? allowOnly(userTokenWithRole('CONTENT_CREATOR')) : { id: person.id, required };
}

/** Number of approvals that a change of a sponsor needs, according to the roles of its editor. Editors who may not create sponsors need the maximum. */
export async function requiredApprovalsForEdit(context: Context, userId: string | null): Promise<number> {
  const person = await decidingUser(context, userId);
  return person ? (requiredApprovals(person) ?? maxApprovals) : 0;
}
