import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { normalizeEmail } from '../../kernel/declare/scalars/email.js';
import { createKey, revokeKey } from './platforms/save-key.js';
import { createPlatform, renewToken, updatePlatform } from './platforms/save-platform.js';
import { createUser, type NewUser } from './users/create-user.js';
import { changeRoles } from './users/roles.js';

/** Returns a context for a caller. */
export type ContextFor = (caller: Partial<Caller>) => Context;

/** Finds a platform by ID or title. Throws NOT_FOUND if no platform has this ID or title. */
async function platformOf({ sql }: Context, reference: string): Promise<{ id: string; name: string }> {
  const row = await sql.first(
    sql.db
      .selectFrom('platform')
      .select(['id', 'title as name'])
      .where((c) => c.or([c('id', '=', reference), c('title', '=', reference)]))
      .orderBy('id'),
  );
  return row ?? fail('NOT_FOUND', `no platform with the id or title ${reference}`);
}

async function userOf({ sql }: Context, reference: string): Promise<string> {
  const query = sql.db.selectFrom('app_user').select('id');
  const row = await sql.first(query.where((c) => c.or([c('id', '=', reference), c('email', '=', normalizeEmail(reference))])));
  return row?.id ?? fail('NOT_FOUND', `no user with the id or e-mail address ${reference}`);
}

async function roleOf({ sql }: Context, reference: string): Promise<string> {
  const query = sql.db.selectFrom('role').select('id');
  const row = await sql.first(query.where((c) => c.or([c('id', '=', reference), c('title', '=', reference.toUpperCase())])));
  return row?.id ?? fail('NOT_FOUND', `no role with the id or title ${reference}`);
}

/** Returns the IDs of the named roles, or of all roles for a super admin. */
async function rolesOfNewUser(context: Context, references: readonly string[], isSuperAdmin: boolean): Promise<string[]> {
  const { sql } = context;
  const roleIds = await Promise.all(references.map((reference) => roleOf(context, reference)));
  if (!isSuperAdmin) return roleIds;
  return (await sql.run(sql.db.selectFrom('role').select('id').orderBy('position'))).map(({ id }) => id);
}

/** Tasks of the operator command line. They enforce the same rules as the GraphQL API. Each task returns the lines to print. */
export const operatorTasks = {
  async createPlatform(contextFor: ContextFor, title: string, allowedOrigins: string[]): Promise<string[]> {
    const { platform, token } = await createPlatform(contextFor({}), { title, allowedOrigins }, ['id']);
    return [`id     ${platform.id}`, `token  ${token}`, 'The token is shown only once.'];
  },
  async listPlatforms(contextFor: ContextFor): Promise<string[]> {
    const { sql } = contextFor({});
    const rows = await sql.run(sql.db.selectFrom('platform').select(['id', 'title', 'is_enabled as isEnabled']).orderBy('title'));
    return rows.map(({ id, title, isEnabled }) => `${id}  ${isEnabled ? 'enabled' : 'revoked'}  ${title}`);
  },
  async revokePlatform(contextFor: ContextFor, reference: string): Promise<string[]> {
    const { id, name } = await platformOf(contextFor({}), reference);
    await updatePlatform(contextFor({}), id, { isEnabled: false }, ['id']);
    return [`The platform ${name} and its keys are revoked.`];
  },
  async renewToken(contextFor: ContextFor, reference: string, hours: number): Promise<string[]> {
    const { id } = await platformOf(contextFor({}), reference);
    const { platform, token } = await renewToken(contextFor({}), id, hours, ['previousTokenEndsAt']);
    const end = platform.previousTokenEndsAt;
    return [
      `token  ${token}`,
      `The token is shown only once. The previous token ${end ? `is accepted until ${end}` : 'is rejected now'}.`,
    ];
  },
  async createKey(contextFor: ContextFor, reference: string, label: string | null, allowedOrigins: string[]): Promise<string[]> {
    const platform = await platformOf(contextFor({}), reference);
    const { row, key } = await createKey(contextFor({ platform }), { label, allowedOrigins }, ['id']);
    return [`id   ${row.id}`, `key  ${key}`, 'The key is shown only once.'];
  },
  async listKeys(contextFor: ContextFor): Promise<string[]> {
    const { sql } = contextFor({});
    const rows = await sql.run(
      sql.db
        .selectFrom('publishable_key as k')
        .leftJoin('platform as p', 'p.id', 'k.platform_id')
        .select(['k.id', 'k.hint', 'k.label', 'k.revoked_at as revokedAt', 'p.title'])
        .orderBy('p.title')
        .orderBy('k.id'),
    );
    return rows.map(({ id, hint, label, revokedAt, title }) =>
      `${id}  ${revokedAt ? 'revoked' : 'enabled'}  ${hint}…  ${title}  ${label ?? ''}`.trimEnd(),
    );
  },
  async revokeKey(contextFor: ContextFor, id: string): Promise<string[]> {
    const { sql } = contextFor({});
    const key = await sql.first(sql.db.selectFrom('publishable_key').select('platform_id as platformId').where('id', '=', id));
    const platform = { id: key?.platformId ?? '', name: '' };
    await revokeKey(contextFor({ platform }), id, ['id']);
    return [`The key ${id} is revoked.`];
  },
  async createUser(contextFor: ContextFor, roles: readonly string[], user: Omit<NewUser, 'roleIds'>): Promise<string[]> {
    const context = contextFor({});
    const roleIds = await rolesOfNewUser(context, roles, user.isSuperAdmin);
    const id = await createUser(context, { ...user, roleIds });
    return [
      `id  ${id}`,
      user.password === null
        ? 'The running service emails a link for setting the password. The link is valid for one hour.'
        : 'The user can sign in.',
    ];
  },
  async changeRole(
    contextFor: ContextFor,
    change: 'grant' | 'revoke',
    user: string,
    role: string,
    email: string | null = null,
  ): Promise<string[]> {
    const context = contextFor({});
    const [userId, roleId] = [await userOf(context, user), await roleOf(context, role)];
    await changeRoles(context, { userId, roleId, change, email }, ['id']);
    return [`The user ${user} ${change === 'grant' ? 'has' : 'no longer has'} the role ${role.toUpperCase()}.`];
  },
};
