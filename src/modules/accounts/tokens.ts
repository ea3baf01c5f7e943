import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/context.js';
import { fail, reject } from '../../kernel/errors.js';
import { allOf } from '../../kernel/problems.js';
import { folded } from './email.js';
import { hashOf, newToken } from './secrets.js';

/** A token that was just given out: the only moment at which it is known. */
export interface GivenToken {
  token: string;
  expiresAt: string;
  userId: string;
}

/** Whom a token is for, and on what condition: the password that was verified must still be the user's. */
interface Owner {
  userId: string;
  device?: string | null;
  passwordHash?: string;
}

/** The one answer to an unknown e-mail address and to a wrong password. Its code is not that of a dead token: pages ask again for the password. */
export const wrongPassword = (): never => fail('INVALID_CREDENTIALS', 'incorrect username or password');

const dead = (): never => fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');

/**
 * Gives a user a token for 30 days. The user's row is locked meanwhile: a change of the password at the same
 * moment either comes first and ends the sign-on, or comes after it and revokes this token too.
 */
export async function giveToken({ sql }: Context, { userId, device = null, passwordHash }: Owner): Promise<GivenToken> {
  const token = newToken();
  const row = await sql.row<{ expiresAt: string }>(
    `with owner as (select id from app_user where id = $3 and ($5::text is null or password_hash = $5) for share),
       old as (delete from user_token where user_id = $3 and expires_at < now() - interval '30 days')
     insert into user_token (id, token_hash, user_id, device, expires_at)
     select $1, $2, id, $4, clock_timestamp() + interval '30 days' from owner returning expires_at as "expiresAt"`,
    [uuidv7(), hashOf(token), userId, device, passwordHash ?? null],
  );
  return row ? { token, expiresAt: row.expiresAt, userId } : wrongPassword();
}

/** Ends a token. Null when it is dead already. */
export async function endToken(
  { sql, services }: Context,
  token: string,
): Promise<{ userId: string; device: string | null; endedAt: string } | null> {
  const row = await sql.row<{ userId: string; device: string | null; endedAt: string }>(
    `update user_token set revoked_at = clock_timestamp() where token_hash = $1 and revoked_at is null and expires_at > clock_timestamp()
     returning user_id as "userId", device, revoked_at as "endedAt"`,
    [hashOf(token)],
  );
  services.identifier.forget();
  return row;
}

/** Whose a token is said to be; what is absent or empty says nothing. */
interface Claim {
  email?: string | null;
  userId?: string | null;
}

/** Gives a new token for a living one, which dies with it. BAD_INPUT, and nothing changes, when it is somebody else's than is claimed. */
export async function rotateToken(context: Context, token: string, { email, userId }: Claim): Promise<GivenToken> {
  const given = await context.sql.transaction(async () => {
    // Locked in the same order as a change of the password does: first the user, then the tokens.
    const owner = await context.sql.row<{ id: string; email: string | null }>(
      `select u.id, u.email from user_token t join app_user u on u.id = t.user_id
       where t.token_hash = $1 and t.revoked_at is null and t.expires_at > clock_timestamp() for share of u`,
      [hashOf(token)],
    );
    if (owner)
      allOf(
        () => !email || folded(email) === owner.email || reject('email', "the address of the token's user"),
        () => !userId || userId === owner.id || reject('userId', "the id of the token's user"),
      );
    const ended = await endToken(context, token);
    return ended ? giveToken(context, ended) : dead();
  });
  context.services.identifier.forget();
  return given;
}

/** Ends every token of a user. */
export async function endTokensOf({ sql }: Context, userId: string): Promise<void> {
  await sql.rows('update user_token set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null', [userId]);
}
