import type { NotNull } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { allOf } from '../../kernel/declare/problems.js';
import type { Session } from '../../kernel/session.js';
import { keepToken } from './give-token-sql.js';
import { moment } from './moment.js';
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
  const row = await keepToken(sql, { hash: hashOf(token), userId, device, passwordHash: passwordHash ?? null });
  return row ? { token, expiresAt: row.expiresAt, userId } : wrongPassword();
}

/** A token that has just ended. */
interface Ended {
  userId: string;
  device: string | null;
  endedAt: string;
}

/** Ends a token. Null when it is dead already. */
export async function endToken({ sql, services }: Context, token: string): Promise<Ended | null> {
  const ended = await sql.first(
    sql.db
      .updateTable('user_token')
      .set({ revoked_at: moment })
      .where('token_hash', '=', hashOf(token))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', moment)
      .returning(['user_id as userId', 'device', 'revoked_at as endedAt'])
      .$narrowType<{ userId: NotNull; endedAt: NotNull }>(),
  );
  services.identifier.forget();
  return ended;
}

/** Whose a token is said to be; what is absent or empty says nothing. */
interface Claim {
  email?: string | null;
  userId?: string | null;
}

/** Gives a new token for a living one, which dies with it. BAD_INPUT, and nothing changes, when it is somebody else's than is claimed. */
export async function rotateToken(context: Context, token: string, { email, userId }: Claim): Promise<GivenToken> {
  const { sql, services } = context;
  const given = await sql.transaction(async () => {
    // Locked in the same order as a change of the password does: first the user, then the tokens.
    const owner = await sql.first(
      sql.db
        .selectFrom('user_token as t')
        .innerJoin('app_user as u', 'u.id', 't.user_id')
        .select(['u.id', 'u.email'])
        .where('t.token_hash', '=', hashOf(token))
        .where('t.revoked_at', 'is', null)
        .where('t.expires_at', '>', moment)
        .forShare('u'),
    );
    if (owner)
      allOf(
        () => !email || folded(email) === owner.email || reject('email', "the address of the token's user"),
        () => !userId || userId === owner.id || reject('userId', "the id of the token's user"),
      );
    const ended = await endToken(context, token);
    return ended ? giveToken(context, ended) : dead();
  });
  services.identifier.forget();
  return given;
}

/** Ends every token of a user. */
export async function endTokensOf(sql: Session, userId: string): Promise<void> {
  await sql.run(
    sql.db.updateTable('user_token').set({ revoked_at: moment }).where('user_id', '=', userId).where('revoked_at', 'is', null),
  );
}
