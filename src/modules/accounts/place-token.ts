import { sql as raw } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { allOf } from '../../kernel/declare/problems.js';
import { isElevated, placedByPlatform } from './elevated.js';
import { moment } from './moment.js';
import { hashOf } from './secrets.js';
import { checkPlacedToken, type PlaceTokenInput } from './sign-on-values.js';
import type { GivenToken } from './tokens.js';

/** Registers a token that a platform has issued. One that is registered already gets the new end; a dead one stays dead. */
export async function placeToken(context: Context, { token, email, userId, expiresAt }: PlaceTokenInput): Promise<GivenToken> {
  const { sql, services } = context;
  allOf(
    () => checkPlacedToken({ token, expiresAt }, 'input.'),
    () => userId || email || reject('input.userId', 'the id of a user, or an e-mail address'),
  );
  const address = email ? folded(email) : null;
  const given = await sql.transaction(async () => {
    // The lock makes a concurrent grant of a role wait, which then revokes this token.
    const user = await sql.first(
      sql.db
        .selectFrom('app_user')
        .select(['id', 'email', 'is_super_admin as isSuperAdmin', isElevated.as('isElevated')])
        .where(userId ? 'id' : 'email', '=', userId || (address ?? ''))
        .forShare(),
    );
    if (!user || (address !== null && user.email !== address))
      return fail('NOT_FOUND', 'no user with that id and e-mail address');
    if (user.isSuperAdmin) fail('FORBIDDEN', 'super admins sign in themselves');
    if (user.isElevated) fail('FORBIDDEN', 'platforms cannot sign in users with a role other than USER');
    const ahead = expiresAt
      ? raw<string>`least(clock_timestamp() + interval '366 days', ${expiresAt}::timestamptz)`
      : raw<string>`clock_timestamp() + interval '30 days'`;
    const placed = await sql.first(
      sql.db
        .insertInto('user_token')
        .values({ id: uuidv7(), token_hash: hashOf(token), user_id: user.id, device: placedByPlatform, expires_at: ahead })
        .onConflict((conflict) =>
          conflict
            .column('token_hash')
            .doUpdateSet(({ ref }) => ({ expires_at: ref('excluded.expires_at') }))
            .whereRef('user_token.user_id', '=', 'excluded.user_id')
            .where('user_token.revoked_at', 'is', null)
            .where('user_token.expires_at', '>', moment),
        )
        .returning('expires_at as expiresAt'),
    );
    return placed ? { token, expiresAt: placed.expiresAt, userId: user.id } : fail('CONFLICT', 'the token was used before');
  });
  services.identifier.forget();
  return given;
}
