import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { touch } from '../../../kernel/write/entities.js';
import { addAuditEntry } from '../audit/audit-sql.js';
import { limitsOf } from '../limits/limits.js';
import { removeUnprovenPhone } from '../registration/unproven-phone.js';
import { hasElevatedRights } from '../sign-in/elevated.js';
import { deleteLocationsOf } from '../sign-in/sign-in-locations-sql.js';
import { checkCode, useCode } from '../tokens/one-time-code.js';
import { invalidateValues, throwWrongValue, unusedValueOwner, useValue } from '../tokens/one-time-values.js';
import { type IssuedToken, issueToken, revokeTokensOf, throwLocked } from '../tokens/tokens.js';
import { User } from '../users/user.js';
import { checkNotWeak, checkPassword, hashPassword, verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';

/** Reads the email address and the names of a user. The password of the user must not consist of them. Null if the user does not exist. */
const personalDataOf = ({ sql }: Context, userId: string) =>
  sql.first(
    sql.db.selectFrom('app_user').select(['email', 'first_name as firstName', 'last_name as lastName']).where('id', '=', userId),
  );

const forUpdate = { lockMode: LockMode.PESSIMISTIC_WRITE };

/**
 * Sets a password in the open transaction. Invalidates all tokens, links and codes of the user, and deletes the user's known sign-in
 * locations.
 */
async function setPassword(context: Context, user: User, passwordHash: string): Promise<void> {
  const { sql } = context;
  user.passwordHash = passwordHash;
  touch(context, user);
  await sql.em.flush();
  await invalidateValues(sql, user.id);
  await revokeTokensOf(sql, user.id);
  await deleteLocationsOf(sql, user.id);
}

/**
 * Returns the user to whom a reset link was sent. Marks the email address as verified, because opening the link proves access to the
 * mailbox. Removes the phone number of a registration that was not verified before.
 */
async function userOfLink(context: Context, value: string): Promise<User> {
  const { sql, services } = context;
  const { userId, pending } = await useValue(sql, 'resetPassword', value);
  const user = await sql.em.findOne(User, { id: userId, email: pending.email }, forUpdate);
  if (!user) return throwWrongValue();
  removeUnprovenPhone(user);
  user.verifiedAt ??= now();
  user.isPasswordUnproven = false;
  await services.onAddressVerified(context, userId, pending.email);
  return user;
}

/** Returns the user to whom a reset code was sent. Rejects users with a role other than USER, because platforms can set phone numbers. */
async function userOfCode({ sql }: Context, codeId: string): Promise<User> {
  const user = await sql.em.findOne(User, { id: await useCode(sql, codeId) }, forUpdate);
  if (!user || (await hasElevatedRights(sql, user.id))) return throwWrongValue();
  user.isPasswordUnproven = true;
  return user;
}

interface PasswordReset {
  /** Random value at the end of the reset link, or the reset code. */
  value: string;
  password: string;
  /** Email address. Required with a code, ignored with a link (section 2.21 of the interface document). */
  email?: string | null;
}

/** Whether a value is a code from a text message, rather than the value from a reset link. */
export const isResetCode = (value: string): boolean => /^\d{6}$/.test(value);

/**
 * Resets a password, using the value from a reset link or the code from a text message. Revokes all tokens of the user. Returns the user's
 * ID.
 */
export async function resetPassword(context: Context, { value, password, email }: PasswordReset): Promise<string> {
  const { sql, services } = context;
  const address = normalizeEmail(email ?? '');
  runChecks(
    () => checkPassword(password, 'password'),
    () => !isResetCode(value) || address || reject('email', 'the address that the code was asked for'),
  );
  await checkNotWeak(password, { email: address }, 'password');
  const codeId = isResetCode(value) ? await checkCode(context, address, value) : null;
  // Only the holder of a valid link or code can notice this check.
  const ownerId = await unusedValueOwner(sql, codeId ? { id: codeId } : { purpose: 'resetPassword', value });
  await checkNotWeak(password, (ownerId && (await personalDataOf(context, ownerId))) || {}, 'password');
  const passwordHash = await hashPassword(password, passwordCostOf(context));
  const user = await sql.transaction(async () => {
    const owner = await (codeId ? userOfCode(context, codeId) : userOfLink(context, value));
    if (owner.lockedAt) throwLocked();
    await setPassword(context, owner, passwordHash);
    return owner;
  });
  services.authenticator.clearCaches();
  // The user may have reached the limit by guessing the forgotten password.
  if (user.email) await limitsOf(context).reset('account.passwords', user.email);
  return user.id;
}

/** Changes the password of the signed-in user. Revokes all tokens of the user and returns a new token. */
export async function changePassword(
  context: Context,
  userId: string,
  oldPassword: string,
  newPassword: string,
): Promise<IssuedToken> {
  const { sql, services } = context;
  checkPassword(newPassword, 'newPassword');
  await checkNotWeak(newPassword, (await personalDataOf(context, userId)) ?? {}, 'newPassword');
  await limitsOf(context).consume('account.passwords', `user ${userId}`, () => addAuditEntry(sql, 'LOCKED', 'User', userId));
  // Waits for a concurrent password change. The transaction ends before the password is verified, because hashing is slow.
  const storedUser = await sql.transaction((em) => em.findOne(User, { id: userId }, { ...forUpdate, fields: ['passwordHash'] }));
  const oldHash = storedUser?.passwordHash ?? null;
  if (!(await verifyPassword(oldHash, oldPassword, passwordCostOf(context)))) {
    const expected = 'the password of the account';
    fail('INVALID_CREDENTIALS', `oldPassword: expected ${expected}`, { field: 'oldPassword', expected });
  }
  const passwordHash = await hashPassword(newPassword, passwordCostOf(context));
  const issuedToken = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id: userId }, forUpdate);
    if (user?.passwordHash !== oldHash) return fail('CONFLICT', 'the password was changed by another request');
    await setPassword(context, user, passwordHash);
    return issueToken(context, { userId, passwordHash });
  });
  services.authenticator.clearCaches();
  await limitsOf(context).reset('account.passwords', `user ${userId}`);
  return issuedToken;
}
