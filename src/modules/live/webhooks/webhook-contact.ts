import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { now } from '../../../kernel/declare/instant.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { saved } from '../../../kernel/write/entities.js';
import { type Sender, templates } from '../../../messaging/ports.js';
import { changing } from './change-webhook.js';
import type { Webhook } from './webhook.js';

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/** Codes count for the platform as messages of a user do: anybody can be named as the contact. */
const contactSender = (platformId: string): Sender => ({ userId: `platform ${platformId}` });

/** A new code that confirms an address, and the columns of a webhook whose contact has yet to confirm it. */
export function unverifiedContact(): { code: string; columns: Pick<Webhook, 'contactVerifiedAt' | 'contactCodeHash'> } {
  const code = randomBytes(16).toString('base64url');
  return { code, columns: { contactVerifiedAt: null, contactCodeHash: hashOf(code) } };
}

/** Mails the code to the contact of a webhook, in the transaction that stores its hash. */
export async function mailContactCode(
  { services, sql }: Context,
  { to, code, webhookId, platformId }: { to: string; code: string; webhookId: string; platformId: string },
): Promise<void> {
  await services.outbox.enqueue(templates.webhookContact({ to, code, webhookId }), sql, contactSender(platformId));
}

/** Confirms the contact of a webhook by the code that was mailed to it; BAD_INPUT for another code. */
export const confirmContact = (
  context: Context,
  id: string,
  code: string,
  returning: readonly string[],
): Promise<RowOf<Webhook>> =>
  changing(context, id, (webhook) => {
    const { contactEmail, contactCodeHash } = webhook;
    if (!contactEmail || !contactCodeHash) return fail('CONFLICT', 'the webhook has no contact that is to be confirmed');
    if (!timingSafeEqual(Buffer.from(hashOf(code)), Buffer.from(contactCodeHash)))
      reject('code', 'the code of the last mail to the contact');
    Object.assign(webhook, { contactVerifiedAt: now(), contactCodeHash: null });
    return saved(context, webhook, returning);
  });
