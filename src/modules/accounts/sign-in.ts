import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail } from '../../kernel/declare/errors.js';
import { inTurn } from './in-turn.js';
import { verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { takeTry } from './sign-in-tries.js';
import { type GivenToken, giveToken, wrongPassword } from './tokens.js';
import { waitsFor } from './waits-for.js';

interface Credentials {
  email: string;
  password: string;
  /** The address of the device, as the platform tells. */
  ipAddress?: string | null;
  /** What the device told of itself. */
  device: string;
}

/**
 * Signs a user in. An unknown address, one without a password and a wrong password are one and the same answer after the same
 * work; a publishable key learns that a registration waits for its validation only with the right password. A platform gets
 * NOT_VERIFIED for each account that was never claimed. Only failures count towards the lock.
 */
export const signIn = (context: Context, credentials: Credentials): Promise<GivenToken> => {
  const account = folded(credentials.email);
  return inTurn(account, () => tryPassword(context, account, credentials));
};

const notVerified = (): never => fail('NOT_VERIFIED', 'the account is not verified yet: open the link in the mail');

/** Whether an account is unclaimed: its address is not verified and it has no password. */
const isUnclaimed = ({ passwordHash, verifiedAt }: { passwordHash: string | null; verifiedAt: string | null }): boolean =>
  passwordHash === null && verifiedAt === null;

async function tryPassword(context: Context, account: string, { password, ipAddress, device }: Credentials): Promise<GivenToken> {
  const attempt = await takeTry(context, account, ipAddress);
  const { sql } = context;
  const user = await sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'password_hash as passwordHash', 'verified_at as verifiedAt'])
      .where('email', '=', account),
  );
  const isOwn = await verifyPassword(user?.passwordHash ?? null, password, passwordCostOf(context));
  const isRight = isOwn || (await waitsFor(context, account, password));
  if (!isRight || !user) return user && context.caller.platform && isUnclaimed(user) ? notVerified() : wrongPassword();
  await attempt.wasRight();
  if (!isOwn || !user.verifiedAt || !user.passwordHash) return notVerified();
  const given = await giveToken(context, { userId: user.id, device, passwordHash: user.passwordHash });
  await attempt.signedIn(user.id);
  return given;
}
