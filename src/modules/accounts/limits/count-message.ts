import type { Context } from '../../../kernel/declare/context.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { clientKey, limitsOf } from './limits.js';

/** ID of the user who sends a message, for the limits. Null for platforms, even if the request also has a user token. */
const senderIdOf = ({ platform, user }: Context['caller']): string | null => (platform ? null : (user?.id ?? null));

/**
 * Counts a message to an e-mail address against the limits of its sender and its recipient. Throws RATE_LIMITED. Checks the sender first: a
 * blocked sender must not use up the limit of the recipient. Enqueue the message as `counted`, or the outbox counts it again.
 */
export async function countMessage(
  context: Context,
  address: string,
  senderId: string | null = senderIdOf(context.caller),
): Promise<void> {
  const limits = limitsOf(context);
  const recipient = normalizeEmail(address);
  const { key } = context.caller;
  if (key) {
    await limits.consume('address.messages', clientKey(context));
    await limits.consume('key.attempts', key.id);
  }
  if (senderId !== null) {
    await limits.consume('user.messages', senderId);
    await limits.consume('user.recipient', `${senderId} ${recipient}`);
  }
  await limits.consume('account.messages', recipient);
}
