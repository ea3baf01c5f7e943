import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { failForbidden, platformTokenCredential } from '../../../kernel/declare/policy/policy-error.js';
import { lockVisibleEntity } from '../../../kernel/write/entities.js';
import { Webhook } from './webhook.js';

/** Platform that a call acts for. Default: the calling platform. */
export interface ActingPlatform {
  readonly platformId?: string | null | undefined;
}

/** Webhook that a call changes. */
export interface WebhookReference extends ActingPlatform {
  readonly id: string;
}

/** Returns the ID of the platform that a call acts for. Throws FORBIDDEN for callers other than this platform and super admins. */
export function actingPlatformId({ caller: { platform, user } }: Context, { platformId }: ActingPlatform): string {
  const id = platformId ?? platform?.id ?? failForbidden(platformTokenCredential);
  return id === platform?.id || user?.isSuperAdmin ? id : fail('FORBIDDEN', 'platforms can manage only their own webhooks');
}

/** Locks a webhook of the platform and changes it in the same transaction. Throws NOT_FOUND for webhooks of other platforms. */
export async function changeWebhook<T>(
  context: Context,
  key: WebhookReference,
  change: (webhook: Webhook) => Promise<T> | T,
): Promise<T> {
  const platformId = actingPlatformId(context, key);
  return context.sql.transaction(async () => {
    const webhook = await lockVisibleEntity(context, Webhook, key.id);
    if (!webhook || webhook.platformId !== platformId) return fail('NOT_FOUND', `no webhook with the id ${key.id}`);
    return change(webhook);
  });
}
