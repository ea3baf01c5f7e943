import type { Context } from '../../../kernel/declare/context.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { clientKey, limitsOf } from './limits.js';

/** ID of the user who sends a message, for the limits. Null for platforms, even if the request also has a user token. */
const senderIdOf = ({ platform, user }: Context['caller']): string | null => (platform ? null : (user?.id ?? null));

/**
 * Counts a message to an e-mail address in any case. Throws RATE_LIMITED. Checks the limits of the sender first, so that a blocked
 * sender does not use up the limit of the recipient. The outbox does not count these messages again.
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
