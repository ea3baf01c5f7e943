import type { Context } from '../../kernel/declare/context.js';
import { verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { waitingHashes } from './registration-sql.js';

/** How many registrations of one address are tried. As many hashes are verified where fewer or none wait, so that the time tells nothing. */
const tried = 2;

/**
 * Whether it is the password of a registration of the address that waits for its validation and is not, or not yet, the account's own: of one
 * for an account that a platform had made, or of one that a later registration overtook. Links that are too old count: they can be sent again.
 */
export async function waitsFor(context: Context, email: string, password: string): Promise<boolean> {
  const waiting = await waitingHashes(context.sql, email, tried);
  const cost = passwordCostOf(context);
  const hashes = Array.from({ length: tried }, (_, index) => verifyPassword(waiting[index] ?? null, password, cost));
  return (await Promise.all(hashes)).includes(true);
}
