import type { UserCaller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';

/** Of who makes sponsors and confirms none. */
const mostApprovals = 2;

/** How many approvals a sponsor needs that this person makes; null when they may not make one (decision 22). */
export function approvalsNeeded({ isSuperAdmin, roles }: Pick<UserCaller, 'isSuperAdmin' | 'roles'>): number | null {
  if (isSuperAdmin || roles.has('ADMIN')) return 0;
  if (!roles.has('CONTENT_CREATOR')) return null;
  return roles.has('CONTENT_CONFIRMER') ? 1 : mostApprovals;
}

/** Whose roles decide: the caller's, or where a platform acts those of the user whom it names. */
const personOf = async ({ caller, sql, services }: Context, userId: string | null): Promise<UserCaller | null> =>
  caller.user ?? (userId ? services.identifier.person(sql, userId) : null);

/** Who makes a sponsor, and how many approvals it needs; a platform that names nobody is an admin. */
export async function sponsorMaker(context: Context, userId: string | null): Promise<{ id: string | null; required: number }> {
  const person = await personOf(context, userId);
  if (!person) return { id: null, required: 0 };
  const required = approvalsNeeded(person);
  return required === null ? fail('FORBIDDEN', 'only for: a user with CONTENT_CREATOR') : { id: person.id, required };
}

/** How many approvals a change of a sponsor needs: as if its editor made it. Who may make none needs the most. */
export async function editorsApprovals(context: Context, userId: string | null): Promise<number> {
  const person = await personOf(context, userId);
  return person ? (approvalsNeeded(person) ?? mostApprovals) : 0;
}
