import type { NotNull } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { credentialsOf } from '../sign-in/credentials.js';
import { insertToken } from './insert-token-sql.js';
import { hashOf, newToken } from './secrets.js';

/** New user token. Only its hash is stored. */
export interface IssuedToken {
  token: string;
  expiresAt: string;
  userId: string;
}

/**
 * User who gets a new token. If `passwordHash` is set, the token is issued only if the user still has this password. `platformId` defaults
 * to the platform of the request.
 */
interface TokenOwner {
  userId: string;
  device?: string | null;
  platformId?: string | null;
  passwordHash?: string;
}

/**
 * Throws the same error for an unknown email address and for a wrong password. The error code differs from the code for an invalid token.
 */
export const throwWrongPassword = (): never => fail('INVALID_CREDENTIALS', 'incorrect username or password');

/** Throws the error for a locked account. Only callers who have proved that they own the account may get this error. */
export const throwLocked = (): never => fail('FORBIDDEN', 'the account is locked: contact an administrator');

const throwInvalidToken = (): never => fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');

/**
 * Issues a token that is valid for 30 days. Locks the row of the user. Throws INVALID_CREDENTIALS if the account is locked, or if
 * `passwordHash` is given and a concurrent password change commits first. If the change commits later, it revokes the token.
 */
export async function issueToken(
  { sql, caller }: Context,
  { userId, device = null, platformId = platformIdOf(caller), passwordHash }: TokenOwner,
): Promise<IssuedToken> {
  const token = newToken();
  const row = await insertToken(sql, { hash: hashOf(token), userId, device, platformId, passwordHash: passwordHash ?? null });
  return row ? { token, expiresAt: row.expiresAt, userId } : throwWrongPassword();
}

interface RevokedTokenRow {
  userId: string;
  device: string | null;
  platformId: string | null;
  endedAt: string;
}

/** Revokes a token. Returns null if the token is unknown, expired or already revoked. */
export async function revokeToken({ sql, services }: Context, token: string): Promise<RevokedTokenRow | null> {
  const row = await sql.first(
    sql.db
      .updateTable('user_token')
      .set({ revoked_at: clockTimestamp })
      .where('token_hash', '=', hashOf(token))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clockTimestamp)
      .returning(['user_id as userId', 'device', 'platform_id as platformId', 'revoked_at as endedAt'])
      .$narrowType<{ userId: NotNull; endedAt: NotNull }>(),
  );
  services.authenticator.clearCaches();
  return row;
}

/** Values that must match the user of a token. Missing and empty values are ignored. */
interface ExpectedUser {
  email?: string | null;
  userId?: string | null;
}

/** Replaces a valid token with a new one. Throws BAD_INPUT without changes if the token does not belong to the expected user. */
export async function rotateToken(context: Context, token: string, { email, userId }: ExpectedUser): Promise<IssuedToken> {
  const { sql, services } = context;
  const issuedToken = await sql.transaction(async () => {
    // Locks the user before the token, like a password change, to avoid deadlocks. A shared lock could delay a role grant
    // indefinitely.
    const owner = await sql.first(
      sql.db
        .selectFrom('user_token as t')
        .innerJoin('app_user as u', 'u.id', 't.user_id')
        .select(['u.id', 'u.email'])
        .where('t.token_hash', '=', hashOf(token))
        .where('t.revoked_at', 'is', null)
        .where('t.expires_at', '>', clockTimestamp)
        .forUpdate('u'),
    );
    if (owner)
      runChecks(
        () => !email || normalizeEmail(email) === owner.email || reject('email', "the address of the token's user"),
        () => !userId || userId === owner.id || reject('userId', "the id of the token's user"),
      );
    const revokedToken = await revokeToken(context, token);
    return revokedToken ? issueToken(context, revokedToken) : throwInvalidToken();
  });
  services.authenticator.clearCaches();
  return issuedToken;
}

/** Revokes the tokens of a user. If `devices` is given, revokes only tokens with one of these values of `device`. */
export async function revokeTokensOf(sql: Session, userId: string, devices: readonly string[] | null = null): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('user_token')
      .set({ revoked_at: clockTimestamp })
      .where('user_id', '=', userId)
      .$if(devices !== null, (token) => token.where('device', 'in', devices ?? []))
      .where('revoked_at', 'is', null),
  );
}

/**
 * Locks the user and the user token of a request in the open transaction. Call this before writes that create other access to the account,
 * such as calendar links. Throws UNAUTHENTICATED if the token was revoked after authentication. A concurrent role grant runs either before
 * the transaction and revokes the placed token, or after it and revokes the new access.
 */
export async function lockSession({ client, sql }: Context, userId: string): Promise<void> {
  // Locks the user before the token, like a role grant, to avoid deadlocks.
  await sql.first(sql.db.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate());
  const session = await sql.first(
    sql.db
      .selectFrom('user_token')
      .select('id')
      .where('token_hash', '=', hashOf(credentialsOf(client.header).userToken ?? ''))
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clockTimestamp)
      .forShare(),
  );
  if (!session) throwInvalidToken();
}
