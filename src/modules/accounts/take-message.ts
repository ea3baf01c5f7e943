import type { Context } from '../../kernel/declare/context.js';
import { limitsOf, whoTries } from './limits.js';

/**
 * Counts a message to an address, in lower case, before it is known whether an account has the address. Messages by a publishable key or a
 * user count for these first, so that a sender without any left does not use up those of the recipient. The outbox does not count them again.
 */
export async function takeMessage(context: Context, address: string): Promise<void> {
  const limits = limitsOf(context);
  const { key, user } = context.caller;
  if (key) {
    await limits.take('address.messages', whoTries(context));
    await limits.take('key.attempts', key.id);
  }
  if (user) {
    await limits.take('user.messages', user.id);
    await limits.take('user.recipient', `${user.id} ${address}`);
  }
  await limits.take('account.messages', address);
}
