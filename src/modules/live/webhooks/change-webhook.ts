import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { allowOnly, platformToken } from '../../../kernel/declare/policy/policy-error.js';
import { lockVisible } from '../../../kernel/write/entities.js';
import { Webhook } from './webhook.js';

/** Returns the ID of the calling platform. Throws FORBIDDEN for other callers. */
export const callingPlatformId = ({ caller: { platform } }: Context): string => platform?.id ?? allowOnly(platformToken);

/** Locks a webhook of the calling platform and changes it in the same transaction. Throws NOT_FOUND for webhooks of other platforms. */
export async function changeWebhook<T>(context: Context, id: string, change: (webhook: Webhook) => Promise<T> | T): Promise<T> {
  const platformId = callingPlatformId(context);
  return context.sql.transaction(async () => {
    const webhook = await lockVisible(context, Webhook, id);
    if (!webhook || webhook.platformId !== platformId) return fail('NOT_FOUND', `no webhook with the id ${id}`);
    return change(webhook);
  });
}
