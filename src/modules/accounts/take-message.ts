import type { Context } from '../../kernel/declare/context.js';
import { limitsOf, whoTries } from './limits.js';

/**
 * Sender of a message, for its limits. Null on routes for platforms, so that the limits of a user token in the same request do not apply.
 */
const senderIdIn = ({ platform, user }: Context['caller']): string | null => (platform ? null : (user?.id ?? null));

/**
 * Counts a message to an address in lower case, whether or not an account has the address. The limits of the sender, a publishable key or a
 * user, are checked first, so that a blocked sender does not use up the limit of the recipient. The outbox does not count these messages again.
 */
export async function takeMessage(
  context: Context,
  address: string,
  senderId: string | null = senderIdIn(context.caller),
): Promise<void> {
  const limits = limitsOf(context);
  const { key } = context.caller;
  if (key) {
    await limits.take('address.messages', whoTries(context));
    await limits.take('key.attempts', key.id);
  }
  if (senderId !== null) {
    await limits.take('user.messages', senderId);
    await limits.take('user.recipient', `${senderId} ${address}`);
  }
  await limits.take('account.messages', address);
}
