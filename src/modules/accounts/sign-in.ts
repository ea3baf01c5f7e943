import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { folded } from './email.js';
import { inTurn } from './in-turn.js';
import { type Limits, limitsOf, senderOf } from './limits.js';
import { verifyPassword } from './password.js';
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
 * work; that a registration waits for its validation is told to the one who knows its password only, whether or not the account
 * was there before. Only failures count towards the lock.
 */
export const signIn = (context: Context, credentials: Credentials): Promise<GivenToken> => {
  const account = folded(credentials.email);
  return inTurn(account, () => tryPassword(context, account, credentials));
};

/**
 * Where somebody tries passwords. Of a platform the connection alone is no device: it may be the server through which all its users sign in.
 * Of a key it is, and what its pages tell of themselves is not believed.
 */
function placeOf(context: Context, ipAddress: string | null | undefined): string | null {
  if (context.caller.key) return senderOf(context);
  return ipAddress ? `${context.client.address} ${ipAddress}` : null;
}

/**
 * Takes a try before anything is looked at, or many at once at several processes would slip through. How to give it back, with all that
 * failed before at that account.
 */
async function takeTry(limits: Limits, account: string, place: string | null): Promise<() => Promise<void>> {
  const leave = async () => void (place && (await limits.giveBack('signInFrom', place)));
  if (place) await limits.take('signInFrom', place);
  await limits.take('signIn', account).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  return async () => {
    await limits.clear('signIn', account);
    await leave();
  };
}

async function tryPassword(context: Context, account: string, { password, ipAddress, device }: Credentials): Promise<GivenToken> {
  const limits = limitsOf(context);
  const place = placeOf(context, ipAddress);
  const giveBack = await takeTry(limits, account, place);
  const { sql } = context;
  const user = await sql.first(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'password_hash as passwordHash', 'verified_at as verifiedAt'])
      .where('email', '=', account),
  );
  const isOwn = await verifyPassword(user?.passwordHash ?? null, password);
  const isRight = isOwn || (await waitsFor(context, account, password));
  if (!isRight || !user) return wrongPassword();
  await giveBack();
  if (!isOwn || !user.verifiedAt || !user.passwordHash)
    return fail('NOT_VERIFIED', 'the account is not verified yet: open the link in the mail');
  return giveToken(context, { userId: user.id, device, passwordHash: user.passwordHash });
}
