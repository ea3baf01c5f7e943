import type { Context } from '../../../kernel/declare/context.js';
import { verifyPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { pendingPasswordHashes } from './registration-sql.js';

/** Number of hashes that are always verified. The duration must not reveal how many registrations are pending. */
const maxHashes = 2;

/**
 * Whether a password belongs to a pending registration of an address and differs from the current password of the account. Examples are accounts
 * that a platform created and replaced registrations. Registrations with an expired link count, because the link can be sent again.
 */
export async function matchesPendingRegistration(context: Context, email: string, password: string): Promise<boolean> {
  const pendingHashes = await pendingPasswordHashes(context.sql, email, maxHashes);
  const cost = passwordCostOf(context);
  const hashes = Array.from({ length: maxHashes }, (_, index) => verifyPassword(pendingHashes[index] ?? null, password, cost));
  return (await Promise.all(hashes)).includes(true);
}
