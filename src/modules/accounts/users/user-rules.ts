import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { alwaysFalse, expression, parameter } from '../../../kernel/declare/expression.js';
import type { ActionRule, CustomFilter, LocationOptions, Values } from '../../../kernel/declare/fields/options.js';
import { type Caller, isAdministrator } from '../../../kernel/declare/policy/caller.js';
import { guard, permission, platform } from '../../../kernel/declare/policy/policy.js';
import { enumListFilter } from '../../../kernel/read/conditions/custom-filters.js';
import type { Row } from '../../../kernel/session.js';
import { freeSlug, slugOf } from '../../../kernel/write/slug-sql.js';
import { RoleTitle } from '../../reference/records/role.js';
import { newCode } from '../tokens/secrets.js';
import { hasRole } from './held-roles-sql.js';

/** Converts the name of a user to a slug, which is not necessarily unique. Empty if the name contains no suitable characters. */
export const profileSlugOf = (firstName: unknown, lastName: unknown): Promise<string> =>
  slugOf([firstName, lastName].filter((part) => typeof part === 'string').join(' '));

/** Derives the slug of a new user from the user's name. Later changes to the name do not affect the slug. */
export async function assignProfileSlug({ firstName, lastName }: Values, context: Context, attempt: number): Promise<Values> {
  const name = await profileSlugOf(firstName, lastName);
  return { slug: await freeSlug(context, 'app_user', name || `player-${newCode()}`, attempt) };
}

/** Marks the row of a user in the response to a sign-in. The caller is this user, even though the request has no user token yet. */
export const markSignedIn = <R extends object>(row: R): R => ({ ...row, $isSignedIn: true });

/** Whether a caller can read the private fields of a user. True for platforms, super admins and the user (decision 36). */
export const canSeePrivate = ({ id, $isSignedIn }: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.id === id || $isSignedIn === true;

/**
 * Throws FORBIDDEN if the user is a super admin and the caller is neither this user nor a super admin. `action` completes the error
 * message, such as `only super admins can erase a super admin`.
 */
export function checkSuperAdmin(
  { user }: Caller,
  { id, isSuperAdmin }: { readonly id: string | null; readonly isSuperAdmin: boolean | null },
  action: string,
): void {
  if (isSuperAdmin && user?.id !== id && !user?.isSuperAdmin) fail('FORBIDDEN', `only super admins can ${action} a super admin`);
}

/** Administrators can act on the accounts of other users. Only super admins can act on the accounts of super admins. */
export const canAdminister: ActionRule = {
  columns: ['isSuperAdmin'],
  isAllowed: ({ id, isSuperAdmin }, { caller }) =>
    isAdministrator(caller) && caller.user?.id !== id && (caller.user?.isSuperAdmin === true || isSuperAdmin !== true),
};

/**
 * Returns the SQL condition that the caller can see the location of a user. Platforms and super admins see all locations. Users see their
 * own location, and the locations of users with `showsPlace`. Visitors see none.
 */
export const visibleLocation: NonNullable<LocationOptions['visibleCondition']> = ({ platform, user }, row) => {
  if (platform || user?.isSuperAdmin) return null;
  return user ? expression`(${row}.shows_place or ${row}.id = ${parameter(user.id)})` : alwaysFalse;
};

const allowedCallers = [platform, permission('ADMIN')];
const filter = enumListFilter(
  RoleTitle,
  'Users who have one of these roles, directly or by inheritance. For: platforms; users with the role ADMIN.',
  (titles, row) => hasRole(expression`${parameter([...titles])}::text[]`, row),
);

/** Filter for users with a role. */
export const roleFilter: CustomFilter = {
  ...filter,
  sql(value, row, caller, path) {
    guard(allowedCallers, caller, undefined, path);
    return filter.sql(value, row, caller, path);
  },
};
