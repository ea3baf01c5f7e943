import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import { invalidateValues } from '../tokens/one-time-values.js';
import { revokeTokensOf } from '../tokens/tokens.js';
import { User } from './user.js';
import { checkSuperAdmin } from './user-rules.js';

/** Maximum length of a reason in characters. */
const maxReasonLength = 500;

/** Changes a user in a transaction that holds a lock on the row. Throws NOT_FOUND for an unknown user. */
async function changeLock(
  context: Context,
  id: string,
  returning: readonly string[],
  change: (user: User) => Promise<void> | void,
): Promise<RowOf<User>> {
  const { sql, services, caller } = context;
  const row = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return fail('NOT_FOUND', `no user with the id ${id}`);
    checkSuperAdmin(caller, user, 'lock and unlock');
    await change(user);
    return saveEntity(context, user, returning);
  });
  services.authenticator.clearCaches();
  return row;
}

interface LockOptions {
  /** Reason for locking the account. */
  readonly reason: string;
  /** Whether to throw CONFLICT if the account is already locked. */
  readonly keepsExisting: boolean;
}

/**
 * Locks an account, ends its sessions, and invalidates its links, codes and one-time tokens. If the account is already locked, only the
 * reason changes. With `keepsExisting`, throws CONFLICT instead.
 */
export function lockAccount(
  context: Context,
  id: string,
  { reason, keepsExisting }: LockOptions,
  returning: readonly string[],
): Promise<RowOf<User>> {
  const trimmedReason = reason.trim();
  runChecks(
    () => id !== context.caller.user?.id || reject('id', 'the ID of another user'),
    () =>
      (trimmedReason.length > 0 && trimmedReason.length <= maxReasonLength) ||
      reject('reason', `1 to ${maxReasonLength} characters`),
  );
  return changeLock(context, id, returning, async (user) => {
    if (keepsExisting && user.lockedAt !== null) fail('CONFLICT', 'the account is already locked');
    user.lockedAt ??= now();
    user.lockReason = trimmedReason;
    await revokeTokensOf(context.sql, id);
    await invalidateValues(context.sql, id);
  });
}

/**
 * Unlocks an account. Sessions that the lock ended stay ended. Throws CONFLICT if `lockedAt` is given but is not the time of the current
 * lock.
 */
export const unlockAccount = (
  context: Context,
  id: string,
  lockedAt: string | null,
  returning: readonly string[],
): Promise<RowOf<User>> =>
  changeLock(context, id, returning, (user) => {
    if (lockedAt !== null && lockedAt !== user.lockedAt) fail('CONFLICT', 'the account was unlocked or locked again');
    user.lockedAt = null;
    user.lockReason = null;
  });
