import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import { type Sender, templates } from '../../../messaging/ports.js';
import { changeWebhook, type WebhookReference } from './change-webhook.js';
import type { Webhook } from './webhook.js';

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/**
 * Returns the sender of confirmation codes. The platform is subject to the message limits of users, because it can set any address as the
 * contact.
 */
const contactSender = (platformId: string, webhookId: string): Sender => ({ userId: `platform ${platformId}`, webhookId });

/** Creates a confirmation code. The returned columns mark the contact as unconfirmed and store the hash of the code. */
export function createContactCode(): { code: string; columns: Pick<Webhook, 'contactVerifiedAt' | 'contactCodeHash'> } {
  const code = randomBytes(16).toString('base64url');
  return { code, columns: { contactVerifiedAt: null, contactCodeHash: hashOf(code) } };
}

/** Emails the code to the contact of a webhook, in the transaction that stores its hash. */
export async function mailContactCode(
  { services, sql }: Context,
  { to, code, webhookId, platformId }: { to: string; code: string; webhookId: string; platformId: string },
): Promise<void> {
  await services.outbox.enqueue(templates.webhookContactMail({ to, code, webhookId }), sql, contactSender(platformId, webhookId));
}

/**
 * Confirms the contact of a webhook, given the code that was mailed to it. Throws BAD_INPUT for any other code, and CONFLICT if the webhook
 * has no unconfirmed contact.
 */
export const confirmContact = (
  context: Context,
  key: WebhookReference,
  code: string,
  returning: readonly string[],
): Promise<RowOf<Webhook>> =>
  changeWebhook(context, key, (webhook) => {
    const { contactEmail, contactCodeHash } = webhook;
    if (!contactEmail || !contactCodeHash) return fail('CONFLICT', 'the webhook has no unconfirmed contact');
    if (!timingSafeEqual(Buffer.from(hashOf(code)), Buffer.from(contactCodeHash)))
      reject('code', 'the code from the latest email to the contact');
    Object.assign(webhook, { contactVerifiedAt: now(), contactCodeHash: null });
    return saveEntity(context, webhook, returning);
  });
