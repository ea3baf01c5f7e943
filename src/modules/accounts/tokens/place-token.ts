import { sql as raw } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { isElevated, placedTokenDevice } from '../sign-in/elevated.js';
import { checkPlacedToken, type PlaceTokenInput } from '../sign-in/sign-on-values.js';
import { hashOf } from './secrets.js';
import { type IssuedToken, throwLocked } from './tokens.js';

/**
 * Registers a token that a platform has issued. If the token is already registered, updates its expiration time. Throws CONFLICT if the
 * token is revoked, expired, or registered for another user.
 */
export async function placeToken(context: Context, { token, email, userId, expiresAt }: PlaceTokenInput): Promise<IssuedToken> {
  const { sql, services } = context;
  runChecks(
    () => checkPlacedToken({ token, expiresAt }, 'input.'),
    () => userId || email || reject('input.userId', 'the id of a user, or an e-mail address'),
  );
  const address = email ? normalizeEmail(email) : null;
  const issuedToken = await sql.transaction(async () => {
    // Because of this lock, a concurrent role grant waits and then revokes this token. A shared lock could delay the grant indefinitely.
    const user = await sql.first(
      sql.db
        .selectFrom('app_user')
        .select(['id', 'email', 'is_super_admin as isSuperAdmin', 'locked_at as lockedAt', isElevated.as('isElevated')])
        .where(userId ? 'id' : 'email', '=', userId || (address ?? ''))
        .forUpdate(),
    );
    if (!user || (address !== null && user.email !== address))
      return fail('NOT_FOUND', 'no user with that id and e-mail address');
    if (user.lockedAt) throwLocked();
    if (user.isSuperAdmin) fail('FORBIDDEN', 'platforms cannot sign in super admins');
    if (user.isElevated) fail('FORBIDDEN', 'platforms cannot sign in users with a role other than USER');
    const expiresAtColumn = expiresAt
      ? raw<string>`least(clock_timestamp() + interval '366 days', ${expiresAt}::timestamptz)`
      : raw<string>`clock_timestamp() + interval '30 days'`;
    const row = await sql.first(
      sql.db
        .insertInto('user_token')
        .values({
          id: uuidv7(),
          token_hash: hashOf(token),
          user_id: user.id,
          device: placedTokenDevice,
          platform_id: platformIdOf(context.caller),
          expires_at: expiresAtColumn,
        })
        .onConflict((conflict) =>
          conflict
            .column('token_hash')
            .doUpdateSet(({ ref }) => ({ expires_at: ref('excluded.expires_at') }))
            .whereRef('user_token.user_id', '=', 'excluded.user_id')
            .where('user_token.revoked_at', 'is', null)
            .where('user_token.expires_at', '>', clockTimestamp),
        )
        .returning('expires_at as expiresAt'),
    );
    return row
      ? { token, expiresAt: row.expiresAt, userId: user.id }
      : fail('CONFLICT', 'the token is revoked, expired, or registered for another user');
  });
  services.authenticator.clearCaches();
  return issuedToken;
}
