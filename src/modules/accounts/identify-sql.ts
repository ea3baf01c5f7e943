import type { PlatformCaller, UserCaller } from '../../kernel/declare/caller.js';
import { readSql } from '../../kernel/facts.js';
import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { heldRoles } from './held-roles-sql.js';

const platformText = 'select id, title as name from platform where token_hash = $1 and is_enabled';

const keyText = `
  select k.id, k.platform_id as "platformId", k.allowed_origins as origins
  from publishable_key k join platform p on p.id = k.platform_id
  where k.key_hash = $1 and k.revoked_at is null and p.is_enabled`;

const originText = `
  select k.id from publishable_key k join platform p on p.id = k.platform_id
  where k.allowed_origins && $1 and k.revoked_at is null and p.is_enabled limit 1`;

/** A user `u`, with the titles of all roles held. */
const person = `
  u.id, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) as name, u.is_super_admin as "isSuperAdmin",
  array(${heldRoles('(select u.id, u.role_ids) u')} select role.title from held join role on role.id = held.role_id) as roles`;

const userText = `
  select ${person} from user_token t join app_user u on u.id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now()`;

const personText = `select ${person} from app_user u where u.id = $1`;

const key = { id: is.text, platformId: is.text, origins: is.texts };
const personShape = { id: is.text, name: is.text, isSuperAdmin: is.boolean, roles: is.texts };

type Key = RowShaped<typeof key>;
type Person = RowShaped<typeof personShape>;

const known = (person: Person | null): UserCaller | null => person && { ...person, roles: new Set(person.roles) };

/** The enabled platform whose token has that hash. */
export const platformOf = (sql: Session, hash: string): Promise<PlatformCaller | null> =>
  sql.row(readSql(['platform'], platformText), [hash], { id: is.text, name: is.text });

/** The living key of an enabled platform that has that hash. */
export const keyOf = (sql: Session, hash: string): Promise<Key | null> =>
  sql.row(readSql(['publishable_key', 'platform'], keyText), [hash], key);

/** A living key of an enabled platform that is for pages of one of these origins. */
export const keyForOrigin = (sql: Session, origins: readonly string[]): Promise<{ id: string } | null> =>
  sql.row(readSql(['publishable_key', 'platform'], originText), [origins], { id: is.text });

/** Whose living token has that hash. */
export const userOf = async (sql: Session, hash: string): Promise<UserCaller | null> =>
  known(await sql.row(readSql(['user_token', 'app_user', 'role'], userText, { isVolatile: true }), [hash], personShape));

/** The person with that id. */
export const personOf = async (sql: Session, id: string): Promise<UserCaller | null> =>
  known(await sql.row(readSql(['app_user', 'role'], personText), [id], personShape));
