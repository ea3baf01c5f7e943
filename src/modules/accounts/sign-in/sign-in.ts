import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../kernel/declare/context.js';
import { codeOf, fail } from '../../../kernel/declare/errors.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { verifyPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { updateHash } from '../passwords/update-hash.js';
import { pendingPasswordHashes } from '../registration/registration-sql.js';
import { runExclusive } from '../tokens/run-exclusive.js';
import { type IssuedToken, issueToken, throwLocked, throwWrongPassword } from '../tokens/tokens.js';
import { countSignInAttempt } from './sign-in-attempts.js';

/** Number of hashes that are always verified, so that the response time does not reveal how many registrations are pending. */
const maxHashes = 2;

/**
 * Whether a password belongs to a pending registration for an address and differs from the current password of the account. The passwords
 * differ if a platform created the account, or if a later registration replaced the pending one. Registrations with an expired link are
 * included, because the link can be sent again.
 */
async function matchesPendingRegistration(context: Context, email: string, password: string): Promise<boolean> {
  const pendingHashes = await pendingPasswordHashes(context.sql, email, maxHashes);
  const cost = passwordCostOf(context);
  const hashes = Array.from({ length: maxHashes }, (_, index) => verifyPassword(pendingHashes[index] ?? null, password, cost));
  return (await Promise.all(hashes)).includes(true);
}

interface SignInCredentials {
  email: string;
  password: string;
  /** IP address of the device, as reported by the platform. */
  ipAddress?: string | null;
  /** Description of the device. */
  device: string;
}

/**
 * Signs a user in. Unknown addresses, accounts without a password and wrong passwords cause the same error after the same amount of work.
 * With a publishable key, NOT_VERIFIED requires the correct password, and so does the error for locked accounts. Platforms get NOT_VERIFIED
 * for every unclaimed account. Only failures count against the limits.
 */
export const signIn = (context: Context, credentials: SignInCredentials): Promise<IssuedToken> => {
  const account = normalizeEmail(credentials.email);
  const minimumDuration = sleep(context.services.settings.accountMinDuration, undefined, { ref: false });
  return runExclusive(account, () => signInWithPassword(context, account, credentials)).catch(async (error: unknown) => {
    logFailure(context, error);
    // Verifying an imported hash does not take the same time as verifying the dummy hash for unknown addresses.
    if (codeOf(error) === 'INVALID_CREDENTIALS') await minimumDuration;
    throw error;
  });
};

/** Logs why a sign-in failed, without the address of the account or the client. */
function logFailure({ caller, client, services }: Context, error: unknown): void {
  const reason = codeOf(error);
  if (reason) services.log.info({ reason, requestId: client.requestId, platformId: platformIdOf(caller) }, 'sign-in failed');
}

const throwNotVerified = (): never => fail('NOT_VERIFIED', 'the account is not verified yet: open the link in the mail');

/** Whether an account is unclaimed: its address is not verified and it has no password. */
const isUnclaimed = ({ passwordHash, verifiedAt }: { passwordHash: string | null; verifiedAt: string | null }): boolean =>
  passwordHash === null && verifiedAt === null;

async function signInWithPassword(
  context: Context,
  account: string,
  { password, ipAddress, device }: SignInCredentials,
): Promise<IssuedToken> {
  const attempt = await countSignInAttempt(context, account, ipAddress);
  const { sql } = context;
  const user = await sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'password_hash as passwordHash', 'verified_at as verifiedAt', 'locked_at as lockedAt'])
      .where('email', '=', account),
  );
  const isCurrentPassword = await verifyPassword(user?.passwordHash ?? null, password, passwordCostOf(context));
  const isKnownPassword = isCurrentPassword || (await matchesPendingRegistration(context, account, password));
  if (!isKnownPassword || !user)
    return user && context.caller.platform && isUnclaimed(user) ? throwNotVerified() : throwWrongPassword();
  await attempt.onPasswordMatch();
  if (isCurrentPassword && user.lockedAt) return throwLocked();
  if (!isCurrentPassword || !user.verifiedAt || !user.passwordHash) return throwNotVerified();
  const passwordHash = await updateHash(context, { id: user.id, passwordHash: user.passwordHash }, password);
  if (passwordHash === null) return throwWrongPassword();
  const token = await issueToken(context, { userId: user.id, device, passwordHash });
  await attempt.onSignIn(user.id);
  return token;
}
