import type { Context } from '../../kernel/declare/context.js';
import { limitsOf, whoTries } from './limits.js';

/** Takes a message to an address, in lower case; by a key also one of those of its sender, first, so that who has none left uses up nobody else's. */
export async function takeMessage(context: Context, address: string): Promise<void> {
  const limits = limitsOf(context);
  const { key } = context.caller;
  if (key) {
    await limits.take('address.messages', whoTries(context));
    await limits.take('key.attempts', key.id);
  }
  await limits.take('account.messages', address);
}
