import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/context.js';
import { fail, reject } from '../../kernel/errors.js';
import { allOf } from '../../kernel/problems.js';
import { folded } from './email.js';
import { hashOf } from './secrets.js';
import type { PlaceTokenInput } from './sign-on-values.js';
import type { GivenToken } from './tokens.js';

/** Registers a token that a platform has issued. One that is registered already gets the new end; a dead one stays dead. */
export async function placeToken(context: Context, { token, email, userId, expiresAt }: PlaceTokenInput): Promise<GivenToken> {
  const { sql, services } = context;
  allOf(
    () => /^[!-~]{20,500}$/.test(token) || reject('input.token', '20 to 500 visible ASCII characters'),
    () => userId || email || reject('input.userId', 'the id of a user, or an e-mail address'),
    () => !expiresAt || Date.parse(expiresAt) > Date.now() || reject('input.expiresAt', 'a moment that is ahead'),
  );
  const given = await sql.transaction(async () => {
    // Locked, because who becomes a super admin at the same moment loses the tokens there are by then.
    const user = await sql.row<{ id: string; isSuperAdmin: boolean }>(
      `select id, is_super_admin as "isSuperAdmin" from app_user
       where case when $1::text is null then email = $2 else id = $1 and ($2::text is null or email = $2) end for share`,
      [userId || null, email ? folded(email) : null],
    );
    if (!user) return fail('NOT_FOUND', 'no user with that id and e-mail address');
    if (user.isSuperAdmin) fail('FORBIDDEN', 'super admins sign in themselves');
    const placed = await sql.row<{ expiresAt: string }>(
      `insert into user_token as t (id, token_hash, user_id, device, expires_at)
       values ($1, $2, $3, 'placed', least(clock_timestamp() + interval '30 days', $4::timestamptz))
       on conflict (token_hash) do update set expires_at = excluded.expires_at
         where t.user_id = excluded.user_id and t.revoked_at is null and t.expires_at > clock_timestamp()
       returning expires_at as "expiresAt"`,
      [uuidv7(), hashOf(token), user.id, expiresAt ?? null],
    );
    return placed ? { token, expiresAt: placed.expiresAt, userId: user.id } : fail('CONFLICT', 'the token was used before');
  });
  services.identifier.forget();
  return given;
}
