import type { Context } from '../../kernel/declare/context.js';
import { limitsOf, whoTries } from './limits.js';

/**
 * Counts a message to an address in lower case, whether or not an account has the address. The limits of the sender, a publishable key or a
 * user, are checked first, so that a blocked sender does not use up the limit of the recipient. The outbox does not count these messages again.
 */
export async function takeMessage(context: Context, address: string): Promise<void> {
  const limits = limitsOf(context);
  const { platform, key, user } = context.caller;
  if (key) {
    await limits.take('address.messages', whoTries(context));
    await limits.take('key.attempts', key.id);
  }
  // A platform sends for its users, so their limits do not apply.
  if (user && !platform) {
    await limits.take('user.messages', user.id);
    await limits.take('user.recipient', `${user.id} ${address}`);
  }
  await limits.take('account.messages', address);
}
