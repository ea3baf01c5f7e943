import type { Context } from '../../kernel/context.js';
import { fail, reject } from '../../kernel/errors.js';
import { folded } from './email.js';
import { limitsOf } from './limits.js';
import { checkCode, spend, useCode, useValue, wrongValue } from './one-time.js';
import { checkPassword, hashPassword, verifyPassword } from './password.js';
import { endTokensOf, type GivenToken, giveToken } from './tokens.js';

/** Sets a password in the caller's transaction; everything that opened the account before is void. */
async function setPassword(context: Context, userId: string, passwordHash: string): Promise<void> {
  await context.sql.rows('update app_user set password_hash = $2 where id = $1', [userId, passwordHash]);
  await spend(context.sql, userId);
  await endTokensOf(context, userId);
}

/** A link proves that its user reads the mails of the address that it was sent to. */
async function userOfLink(context: Context, value: string): Promise<string> {
  const { sql, services } = context;
  const { userId, pending } = await useValue<{ email: string }>(sql, 'resetPassword', value);
  const user = await sql.row(
    'update app_user set verified_at = coalesce(verified_at, now()) where id = $1 and email = $2 returning id',
    [userId, pending.email],
  );
  if (!user) return wrongValue();
  await services.addressProven(context, userId, pending.email);
  return userId;
}

interface Reset {
  /** The random value of the link, or the code. */
  value: string;
  password: string;
  /** Looked at only with a code (section 2.21). */
  email?: string | null;
}

/** Whether a secret has the form of a code that was sent as a text message, and not that of a link. */
export const isCode = (value: string): boolean => /^\d{6}$/.test(value);

/** Chooses a new password with a link or a code, each of which works once; all tokens of the user die. */
export async function resetPassword(context: Context, { value, password, email }: Reset): Promise<void> {
  const { sql, services } = context;
  checkPassword(password, 'password');
  const address = folded(email ?? '');
  const codeId = isCode(value)
    ? await checkCode(sql, address || reject('email', 'the address that the code was asked for'), value)
    : null;
  const passwordHash = await hashPassword(password);
  const userId = await sql.transaction(async () => {
    const owner = codeId ? await useCode(sql, codeId) : await userOfLink(context, value);
    await setPassword(context, owner, passwordHash);
    return owner;
  });
  services.identifier.forget();
  // Who forgot a password has tried some.
  const user = await sql.row<{ email: string | null }>('select email from app_user where id = $1', [userId]);
  if (user?.email) await limitsOf(context).clear('signIn', user.email);
}

/** Changes the password of the signed-in user and gives a new token: all others die. */
export async function changePassword(
  context: Context,
  userId: string,
  oldPassword: string,
  newPassword: string,
): Promise<GivenToken> {
  const { sql, services } = context;
  checkPassword(newPassword, 'newPassword');
  await limitsOf(context).take('signIn', `user ${userId}`);
  const kept = async () =>
    (await sql.row<{ hash: string | null }>('select password_hash as hash from app_user where id = $1 for update', [userId]))
      ?.hash ?? null;
  const oldHash = await kept();
  if (!(await verifyPassword(oldHash, oldPassword))) {
    const expected = 'the password of the account';
    fail('INVALID_CREDENTIALS', `oldPassword: expected ${expected}`, { field: 'oldPassword', expected });
  }
  const passwordHash = await hashPassword(newPassword);
  const given = await sql.transaction(async () => {
    if ((await kept()) !== oldHash) fail('CONFLICT', 'the password was changed by another request');
    await setPassword(context, userId, passwordHash);
    return giveToken(context, { userId, passwordHash });
  });
  services.identifier.forget();
  await limitsOf(context).clear('signIn', `user ${userId}`);
  return given;
}
