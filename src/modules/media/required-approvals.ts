import type { UserCaller } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';

type Person = Pick<UserCaller, 'id' | 'isSuperAdmin' | 'roles'>;

/** Of who makes sponsors and confirms none. */
const mostApprovals = 2;

/** How many approvals a sponsor needs that this person makes; null when they may not make one (decision 22). */
export function approvalsNeeded({ isSuperAdmin, roles }: Pick<Person, 'isSuperAdmin' | 'roles'>): number | null {
  if (isSuperAdmin || roles.has('ADMIN')) return 0;
  if (!roles.has('CONTENT_CREATOR')) return null;
  return roles.has('CONTENT_CONFIRMER') ? 1 : mostApprovals;
}

/** A person for whom a platform acts, with the roles that they hold directly and by inheritance. */
async function personOf(sql: Sql, id: string): Promise<Person | null> {
  const found = await sql.row<{ id: string; isSuperAdmin: boolean; roles: string[] }>(
    `select u.id, u.is_super_admin as "isSuperAdmin", array(
       with recursive held as (
         select role.id, role.title, role.inherited_ids from role where role.id = any(u.role_ids)
         union select role.id, role.title, role.inherited_ids from role join held on role.id = any(held.inherited_ids)
       ) select title from held) as roles
     from app_user u where u.id = $1`,
    [id],
  );
  return found && { ...found, roles: new Set(found.roles) };
}

/** Who makes a sponsor, and how many approvals it needs: the caller's roles decide, or for a platform those of the user named, or it is an admin. */
export async function sponsorMaker(
  { caller, sql }: Context,
  userId: string | null,
): Promise<{ id: string | null; required: number }> {
  const person = caller.user ?? (userId ? await personOf(sql, userId) : null);
  if (!person) return { id: null, required: 0 };
  const required = approvalsNeeded(person);
  return required === null ? fail('FORBIDDEN', 'only for: a user with CONTENT_CREATOR') : { id: person.id, required };
}

/** How many approvals a change of a sponsor needs: as if its editor made it. Who may make none needs the most. */
export async function editorsApprovals({ caller, sql }: Context, userId: string | null): Promise<number> {
  const person = caller.user ?? (userId ? await personOf(sql, userId) : null);
  return person ? (approvalsNeeded(person) ?? mostApprovals) : 0;
}
