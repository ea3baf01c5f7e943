import { uuidv7 } from 'uuidv7';
import type { Sql } from '../../kernel/sql.js';
import { folded } from './email.js';
import { hashPassword, verifyPassword } from './password.js';
import { hashOf } from './secrets.js';

/** The first sign-ons of a database, from the configuration. */
export interface Bootstrap {
  bootstrap: { platformToken: string | null; admin: { email: string; password: string } | null };
}

/** Creates or updates the platform and the super admin of the configuration; done again it changes nothing. */
export async function bootstrap(sql: Sql, { bootstrap: { platformToken, admin } }: Bootstrap): Promise<void> {
  if (platformToken) await openPlatform(sql, platformToken);
  if (admin) await openAdmin(sql, folded(admin.email), admin.password);
}

/** A token that another platform has already opens the service as it is. */
async function openPlatform(sql: Sql, token: string): Promise<void> {
  await sql.rows(
    `insert into platform as p (id, name, token_hash, token_hint)
     select $1, 'bootstrap', $2, $3 where not exists (select from platform where token_hash = $2 and name <> 'bootstrap')
     on conflict (name) do update set token_hash = excluded.token_hash, token_hint = excluded.token_hint, is_active = true`,
    [uuidv7(), hashOf(token), token.slice(0, 4)],
  );
}

async function openAdmin(sql: Sql, email: string, password: string): Promise<void> {
  const known = await sql.row<{ hash: string | null }>('select password_hash as hash from app_user where email = $1', [email]);
  const isSame = await verifyPassword(known?.hash ?? null, password);
  const passwordHash = isSame ? known?.hash : await hashPassword(password);
  const id = uuidv7();
  await sql.transaction(async () => {
    const admin = await sql.row<{ id: string }>(
      `insert into app_user as u (id, email, first_name, last_name, slug, is_super_admin, verified_at, role_ids, password_hash)
       values ($1, $2, 'Super', 'Admin', 'super-admin-' || right($1, 12), true, now(), array(select id from role order by position), $3)
       on conflict (email) do update set is_super_admin = true, verified_at = coalesce(u.verified_at, now()), role_ids = excluded.role_ids, password_hash = excluded.password_hash
       returning id`,
      [id, email, passwordHash],
    );
    if (!isSame)
      await sql.rows('update user_token set revoked_at = now() where user_id = $1 and revoked_at is null', [admin?.id]);
  });
}
