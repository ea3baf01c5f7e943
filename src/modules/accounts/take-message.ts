import type { Context } from '../../kernel/declare/context.js';
import { limitsOf, senderOf } from './limits.js';

/** Takes a message to an address, in lower case; by a key also one of those of its sender, first, so that who has none left uses up nobody else's. */
export async function takeMessage(context: Context, address: string): Promise<void> {
  const limits = limitsOf(context);
  if (context.caller.key) await limits.take('messageFrom', senderOf(context));
  await limits.take('message', address);
}
