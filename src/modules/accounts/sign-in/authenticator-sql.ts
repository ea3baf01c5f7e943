import type { PlatformCaller, UserCaller } from '../../../kernel/declare/policy/caller.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { is, type RowOfShape } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { heldRoles } from '../users/held-roles-sql.js';

const platformText = `
  select id, title as name from platform
  where (token_hash = $1 or (previous_token_hash = $1 and previous_token_ends_at > now())) and is_enabled`;

const keyText = `
  select k.id, k.platform_id as "platformId", k.allowed_origins as origins
  from publishable_key k join platform p on p.id = k.platform_id
  where k.key_hash = $1 and k.revoked_at is null and p.is_enabled`;

const originText = `
  select k.id from publishable_key k join platform p on p.id = k.platform_id
  where k.allowed_origins && $1 and k.revoked_at is null and p.is_enabled limit 1`;

/** SQL for the columns of the user `u`, including the titles of all direct and inherited roles. */
const userColumns = `
  u.id, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) as name, u.is_super_admin as "isSuperAdmin",
  array(${heldRoles('(select u.id, u.role_ids) u')} select role.title from held join role on role.id = held.role_id) as roles`;

const userByTokenText = `
  select ${userColumns} from user_token t join app_user u on u.id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now() and u.locked_at is null`;

const userByIdText = `select ${userColumns} from app_user u where u.id = $1`;

const keyShape = { id: is.text, platformId: is.text, origins: is.texts };
const userShape = { id: is.text, name: is.text, isSuperAdmin: is.boolean, roles: is.texts };

type KeyRow = RowOfShape<typeof keyShape>;
type UserRow = RowOfShape<typeof userShape>;

const toUserCaller = (user: UserRow | null): UserCaller | null => user && { ...user, roles: new Set(user.roles) };

/** Finds an enabled platform by the hash of its token, or of its previous token while the previous token is valid. */
export const findPlatform = (sql: Session, hash: string): Promise<PlatformCaller | null> =>
  sql.row(sqlForReading(['platform'], platformText, { otherDependency: 'now' }), [hash], { id: is.text, name: is.text });

/** Finds an active key of an enabled platform by its hash. */
export const findKey = (sql: Session, hash: string): Promise<KeyRow | null> =>
  sql.row(sqlForReading(['publishable_key', 'platform'], keyText), [hash], keyShape);

/** Finds any active key of an enabled platform that allows at least one of the origins. */
export const findKeyForOrigin = (sql: Session, origins: readonly string[]): Promise<{ id: string } | null> =>
  sql.row(sqlForReading(['publishable_key', 'platform'], originText), [origins], { id: is.text });

/** Finds a user by the hash of a valid token. */
export const findTokenOwner = async (sql: Session, hash: string): Promise<UserCaller | null> =>
  toUserCaller(
    await sql.row(
      sqlForReading(['user_token', 'app_user', 'role'], userByTokenText, { otherDependency: 'now' }),
      [hash],
      userShape,
    ),
  );

export const findUser = async (sql: Session, id: string): Promise<UserCaller | null> =>
  toUserCaller(await sql.row(sqlForReading(['app_user', 'role'], userByIdText), [id], userShape));
