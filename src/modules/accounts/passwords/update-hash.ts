import type { Context } from '../../../kernel/declare/context.js';
import { isOutdatedHash } from './hashes/stored-hash.js';
import { hashPassword, verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';

/** User with a password that was just verified. */
interface VerifiedUser {
  readonly id: string;
  readonly passwordHash: string;
}

/**
 * Replaces an imported or outdated hash of a verified password with a new argon2id hash. Returns the stored hash of the password. Returns
 * null if another request has changed the password in the meantime.
 */
export async function updateHash(context: Context, { id, passwordHash }: VerifiedUser, password: string): Promise<string | null> {
  const cost = passwordCostOf(context);
  if (!isOutdatedHash(passwordHash, cost)) return passwordHash;
  const { sql } = context;
  const newHash = await hashPassword(password, cost);
  const updated = await sql.first(
    sql.db
      .updateTable('app_user')
      .set({ password_hash: newHash })
      .where('id', '=', id)
      .where('password_hash', '=', passwordHash)
      .returning('id'),
  );
  if (updated) return newHash;
  // A concurrent sign-in may have stored a new hash of the same password.
  const user = await sql.first(sql.db.selectFrom('app_user').select('password_hash as hash').where('id', '=', id));
  return user?.hash && (await verifyPassword(user.hash, password, cost)) ? user.hash : null;
}
