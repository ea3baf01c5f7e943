import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { allOf } from '../../kernel/declare/problems.js';
import { touch } from '../../kernel/write/touch.js';
import { note } from './audit-sql.js';
import { hasRole } from './elevated.js';
import { limitsOf } from './limits.js';
import { spend, useValue, wrongValue } from './one-time.js';
import { checkCode, useCode } from './one-time-code.js';
import { checkNotWeak, checkPassword, hashPassword, verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { forgetPlacesOf } from './sign-in-places-sql.js';
import { endTokensOf, type GivenToken, giveToken } from './tokens.js';
import { User } from './user.js';

const forUpdate = { lockMode: LockMode.PESSIMISTIC_WRITE };

/** Sets a password in the caller's transaction; everything that opened the account before is void. */
async function setPassword(context: Context, user: User, passwordHash: string): Promise<void> {
  const { sql } = context;
  user.passwordHash = passwordHash;
  touch(context, user);
  await sql.em.flush();
  await spend(sql, user.id);
  await endTokensOf(sql, user.id);
  await forgetPlacesOf(sql, user.id);
}

/** A link proves that its user reads the mails of the address that it was sent to. */
async function userOfLink(context: Context, value: string): Promise<User> {
  const { sql, services } = context;
  const { userId, pending } = await useValue(sql, 'resetPassword', value);
  const user = await sql.em.findOne(User, { id: userId, email: pending.email }, forUpdate);
  if (!user) return wrongValue();
  user.verifiedAt ??= now();
  user.isPasswordUnproven = false;
  await services.addressProven(context, userId, pending.email);
  return user;
}

/** A code proves possession of the phone. Platforms can set its number, so users with a role need a link. */
async function userOfCode({ sql }: Context, codeId: string): Promise<User> {
  const user = await sql.em.findOne(User, { id: await useCode(sql, codeId) }, forUpdate);
  if (!user || (await hasRole(sql, user.id))) return wrongValue();
  user.isPasswordUnproven = true;
  return user;
}

interface Reset {
  /** The random value of the link, or the code. */
  value: string;
  password: string;
  /** Looked at only with a code (section 2.21). */
  email?: string | null;
}

/** Whether a secret has the form of a code that was sent as a text message, and not that of a link. */
export const isSixDigits = (value: string): boolean => /^\d{6}$/.test(value);

/** Chooses a new password with a link or a code, each of which works once; all tokens of the user die. The id of the user. */
export async function resetPassword(context: Context, { value, password, email }: Reset): Promise<string> {
  const { sql, services } = context;
  const address = folded(email ?? '');
  allOf(
    () => checkPassword(password, 'password'),
    () => !isSixDigits(value) || address || reject('email', 'the address that the code was asked for'),
  );
  await checkNotWeak(password, { email: address }, 'password');
  const codeId = isSixDigits(value) ? await checkCode(context, address, value) : null;
  const passwordHash = await hashPassword(password, passwordCostOf(context));
  const user = await sql.transaction(async () => {
    const owner = await (codeId ? userOfCode(context, codeId) : userOfLink(context, value));
    await setPassword(context, owner, passwordHash);
    return owner;
  });
  services.identifier.forget();
  // Who forgot a password has tried some.
  if (user.email) await limitsOf(context).clear('account.passwords', user.email);
  return user.id;
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
  await checkNotWeak(newPassword, { firstName: context.caller.user?.name }, 'newPassword');
  await limitsOf(context).take('account.passwords', `user ${userId}`, () => note(sql, 'LOCKED', 'User', userId));
  // Looked at behind a change that is under way, and let go again: to compare passwords takes long.
  const known = await sql.transaction((em) => em.findOne(User, { id: userId }, { ...forUpdate, fields: ['passwordHash'] }));
  const oldHash = known?.passwordHash ?? null;
  if (!(await verifyPassword(oldHash, oldPassword, passwordCostOf(context)))) {
    const expected = 'the password of the account';
    fail('INVALID_CREDENTIALS', `oldPassword: expected ${expected}`, { field: 'oldPassword', expected });
  }
  const passwordHash = await hashPassword(newPassword, passwordCostOf(context));
  const given = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id: userId }, forUpdate);
    if (user?.passwordHash !== oldHash) return fail('CONFLICT', 'the password was changed by another request');
    await setPassword(context, user, passwordHash);
    return giveToken(context, { userId, passwordHash });
  });
  services.identifier.forget();
  await limitsOf(context).clear('account.passwords', `user ${userId}`);
  return given;
}
