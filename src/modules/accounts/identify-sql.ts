import type { PlatformCaller } from '../../kernel/caller.js';
import type { Sql } from '../../kernel/sql.js';
import { heldRoles } from './held-roles-sql.js';

const platformText = 'select id, name from platform where token_hash = $1 and is_active';

const keyText = `
  select k.id, k.platform_id as "platformId", k.allowed_origins as origins
  from publishable_key k join platform p on p.id = k.platform_id
  where k.key_hash = $1 and k.revoked_at is null and p.is_active`;

const userText = `
  select u.id, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) as name, u.is_super_admin as "isSuperAdmin",
    array(${heldRoles('(select u.id, u.role_ids) u')} select role.title from held join role on role.id = held.role_id) as roles
  from user_token t join app_user u on u.id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now()`;

type Key = { id: string; platformId: string; origins: string[] };
type Person = { id: string; name: string; isSuperAdmin: boolean; roles: string[] };

/** The active platform whose token has that hash. */
export const platformOf = (sql: Sql, hash: string): Promise<PlatformCaller | null> =>
  sql.row<{ id: string; name: string }>(platformText, [hash]);

/** The living key of an active platform that has that hash. */
export const keyOf = (sql: Sql, hash: string): Promise<Key | null> => sql.row<Key>(keyText, [hash]);

/** Whose living token has that hash, with the titles of all roles held. */
export const userOf = (sql: Sql, hash: string): Promise<Person | null> => sql.row<Person>(userText, [hash]);
