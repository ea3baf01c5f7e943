import { sql as raw } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { folded } from '../../kernel/declare/email.js';
import { reject } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';
import { hashPassword, isUnfit, verifyPassword } from './password.js';
import { hashOf } from './secrets.js';
import { endTokensOf } from './tokens.js';

/** The first sign-ons of a database, from the configuration. */
export interface Bootstrap {
  bootstrap: { platformToken: string | null; admin: { email: string; password: string } | null };
}

/** Creates or updates the platform and the super admin of the configuration; done again it changes nothing. */
export async function bootstrap(sql: Session, { bootstrap: { platformToken, admin } }: Bootstrap): Promise<void> {
  if (platformToken) await openPlatform(sql, platformToken);
  if (admin) await openAdmin(sql, folded(admin.email), admin.password);
}

/** The name of the platform of the configuration. */
const own = 'bootstrap';

/** A token that another platform has already opens the service as it is. */
async function openPlatform(sql: Session, token: string): Promise<void> {
  const secret = { token_hash: hashOf(token), token_hint: token.slice(0, 4) };
  const others = sql.db.selectFrom('platform').select('id').where('token_hash', '=', secret.token_hash).where('title', '<>', own);
  const row = sql.db
    .selectNoFrom(({ val }) => [
      val(uuidv7()).as('id'),
      val(own).as('title'),
      val(secret.token_hash).as('token_hash'),
      val(secret.token_hint).as('token_hint'),
    ])
    .where(({ not, exists }) => not(exists(others)));
  await sql.run(
    sql.db
      .insertInto('platform')
      .columns(['id', 'title', 'token_hash', 'token_hint'])
      .expression(row)
      .onConflict((conflict) => conflict.column('title').doUpdateSet({ ...secret, is_enabled: true })),
  );
}

async function openAdmin(sql: Session, email: string, password: string): Promise<void> {
  const known = await sql.first(sql.db.selectFrom('app_user').select('password_hash as hash').where('email', '=', email));
  const isSame = await verifyPassword(known?.hash ?? null, password);
  if (!isSame && (await isUnfit(password, { email })))
    reject('BOOTSTRAP_ADMIN_PASSWORD', '8 to 200 characters that are hard to guess');
  const passwordHash = isSame ? known?.hash : await hashPassword(password);
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
          })),
        )
        .returning('id'),
    );
    if (admin && !isSame) await endTokensOf(sql, admin.id);
  });
}
