import { sql as raw } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { reject } from '../../kernel/declare/errors.js';
import { normalizeEmail } from '../../kernel/declare/scalars/email.js';
import type { Session } from '../../kernel/session.js';
import { revokeLinksOf } from './calendar/calendar-links.js';
import { hashPassword, isUnacceptablePassword, verifyPassword } from './passwords/password.js';
import { hashOf, tokenHintOf } from './tokens/secrets.js';
import { revokeTokensOf } from './tokens/tokens.js';

/** Credentials from the configuration that give access to a new database. */
export interface Bootstrap {
  bootstrap: { platformToken: string | null; admin: { email: string; password: string } | null };
}

/** Creates or updates the platform and the super admin from the configuration. Idempotent. */
export async function bootstrap(sql: Session, { bootstrap: { platformToken, admin } }: Bootstrap): Promise<void> {
  if (platformToken) await savePlatform(sql, platformToken);
  if (admin) await saveAdmin(sql, normalizeEmail(admin.email), admin.password);
}

/** Title of the platform that the configuration defines. */
const platformTitle = 'bootstrap';

/** Creates or updates the platform. Does nothing if another platform already has the token. */
async function savePlatform(sql: Session, token: string): Promise<void> {
  const secret = { token_hash: hashOf(token), token_hint: tokenHintOf(token) };
  const otherPlatforms = sql.db
    .selectFrom('platform')
    .select('id')
    .where('token_hash', '=', secret.token_hash)
    .where('title', '<>', platformTitle);
  const row = sql.db
    .selectNoFrom(({ val }) => [
      val(uuidv7()).as('id'),
      val(platformTitle).as('title'),
      val(secret.token_hash).as('token_hash'),
      val(secret.token_hint).as('token_hint'),
    ])
    .where(({ not, exists }) => not(exists(otherPlatforms)));
  await sql.run(
    sql.db
      .insertInto('platform')
      .columns(['id', 'title', 'token_hash', 'token_hint'])
      .expression(row)
      .onConflict((conflict) => conflict.column('title').doUpdateSet({ ...secret, is_enabled: true })),
  );
}

async function saveAdmin(sql: Session, email: string, password: string): Promise<void> {
  const storedUser = await sql.first(
    sql.db.selectFrom('app_user').select(['password_hash as hash', 'is_super_admin as isSuperAdmin']).where('email', '=', email),
  );
  const isCurrentPassword = await verifyPassword(storedUser?.hash ?? null, password);
  if (!isCurrentPassword && (await isUnacceptablePassword(password, { email })))
    reject('BOOTSTRAP_ADMIN_PASSWORD', '8 to 200 characters that are hard to guess');
  const passwordHash = isCurrentPassword ? storedUser?.hash : await hashPassword(password);
  const id = uuidv7();
  await sql.transaction(async () => {
    const admin = await sql.first(
      sql.db
        .insertInto('app_user')
        .values(({ selectFrom }) => ({
          id,
          email,
          first_name: 'Super',
          last_name: 'Admin',
          slug: `super-admin-${id.slice(-12)}`,
          is_super_admin: true,
          verified_at: raw<string>`now()`,
          role_ids: raw<string[]>`array(${selectFrom('role').select('id').orderBy('position')})`,
          password_hash: passwordHash,
        }))
        .onConflict((conflict) =>
          conflict.column('email').doUpdateSet(({ fn, ref }) => ({
            is_super_admin: true,
            verified_at: fn.coalesce('app_user.verified_at', ref('excluded.verified_at')),
            role_ids: ref('excluded.role_ids'),
            password_hash: ref('excluded.password_hash'),
            // The operator configured the email address and the password, so they need no confirmation.
            is_email_unproven: false,
            is_password_unproven: false,
          })),
        )
        .returning('id'),
    );
    if (admin && !isCurrentPassword) await revokeTokensOf(sql, admin.id);
    // A platform may have created calendar links for the user before the user became a super admin.
    if (admin && !storedUser?.isSuperAdmin) await revokeLinksOf(sql, admin.id);
  });
}
