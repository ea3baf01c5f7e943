import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { removeEntity, saveEntity } from '../../../kernel/write/entities.js';
import { create } from '../../../kernel/write/save.js';
import { type ActingPlatform, actingPlatformId, changeWebhook, type WebhookReference } from './change-webhook.js';
import { checkReceiver } from './receiver-address.js';
import { Webhook } from './webhook.js';
import { createContactCode, mailContactCode } from './webhook-contact.js';
import { checkEvents } from './webhook-events.js';
import { checkWebhookSecret, encryptSecret, newWebhookSecret } from './webhook-secret.js';
import { deleteQueue, giveUpFailedDeliveries, insertPosition, retryPendingDeliveries } from './webhook-sql.js';

/** Maximum number of webhooks per platform. */
const maxWebhooks = 50;
/** Maximum number of hours for which a replaced secret stays valid. */
const maxHours = 168;

/** Values of a webhook. Absent values stay unchanged. */
interface WebhookValues {
  url?: string | null | undefined;
  events?: readonly string[] | null | undefined;
  contactEmail?: string | null | undefined;
}

function checkContact(email: string | null | undefined): void {
  if (email && !emailFormat.matches(email)) reject('contactEmail', emailFormat.expected);
}

/** Returns the values to store. Throws one error that lists all invalid values. */
async function checkedValues(
  { services: { settings } }: Context,
  { url, events, contactEmail }: WebhookValues,
  secret?: string | null,
) {
  await runAsyncChecks(
    () =>
      typeof url === 'string'
        ? checkReceiver(url, { networks: settings.webhooks.networks, isProduction: settings.isProduction })
        : undefined,
    () => (events ? checkEvents(events) : undefined),
    () => checkContact(contactEmail),
    () => (typeof secret === 'string' ? checkWebhookSecret(secret) : undefined),
  );
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(events ? { events: [...new Set(events)] } : {}),
    ...(contactEmail === undefined ? {} : { contactEmail: contactEmail || null }),
  };
}

export interface WebhookWithSecret {
  row: RowOf<Webhook>;
  secret: string;
}

/** Creates a webhook of a platform. The webhook receives only changes that happen after its creation. */
export async function createWebhook(
  context: Context,
  input: WebhookValues & ActingPlatform,
  requestedSecret: string | null | undefined,
  returning: readonly string[],
): Promise<WebhookWithSecret> {
  const { services, sql } = context;
  const platformId = actingPlatformId(context, input);
  const values = await checkedValues(context, input, requestedSecret);
  const secret = requestedSecret ?? newWebhookSecret();
  const id = uuidv7();
  // The position must be read before the transaction starts, because reading it waits for open transactions to end.
  const position = await services.changes.recentPosition();
  const row = await sql.transaction(async () => {
    // The lock prevents concurrent requests from exceeding the limit.
    const platform = await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', platformId).forUpdate());
    if (!platform) reject('platformId', 'the ID of a platform');
    const webhooks = await sql.run(sql.db.selectFrom('webhook').select('id').where('platform_id', '=', platformId));
    if (webhooks.length >= maxWebhooks) fail('CONFLICT', `the platform already has ${maxWebhooks} webhooks: delete one first`);
    const { code, columns } = createContactCode();
    const columnValues = {
      ...values,
      ...(values.contactEmail ? columns : {}),
      platformId,
      secret: encryptSecret(secret, id, services.settings.webhooks.keys),
    };
    const createdRow = await create(context, Webhook, { id }, returning, columnValues);
    await insertPosition(sql, id, position);
    if (values.contactEmail) await mailContactCode(context, { to: values.contactEmail, code, webhookId: id, platformId });
    return createdRow;
  });
  return { row, secret };
}

export async function updateWebhook(
  context: Context,
  key: WebhookReference,
  input: WebhookValues,
  returning: readonly string[],
): Promise<RowOf<Webhook>> {
  const values = await checkedValues(context, input);
  return changeWebhook(context, key, async (webhook) => {
    const { contactEmail } = values;
    const isUnchanged = contactEmail === undefined || contactEmail === webhook.contactEmail;
    const isConfirmed = isUnchanged && (contactEmail === undefined || webhook.contactVerifiedAt !== null);
    const { code, columns } = createContactCode();
    if (!isConfirmed) Object.assign(webhook, contactEmail ? columns : { contactVerifiedAt: null, contactCodeHash: null });
    Object.assign(webhook, values);
    const row = await saveEntity(context, webhook, returning);
    if (contactEmail && !isConfirmed)
      await mailContactCode(context, { to: contactEmail, code, webhookId: key.id, platformId: actingPlatformId(context, key) });
    return row;
  });
}

/** Deletes a webhook with its deliveries. */
export const deleteWebhook = (context: Context, key: WebhookReference, returning: readonly string[]): Promise<RowOf<Webhook>> =>
  changeWebhook(context, key, async (webhook) => {
    await deleteQueue(context.sql, key.id);
    return removeEntity(context, webhook, returning);
  });

/** Replaces the secret of a webhook. For `hours`, deliveries are also signed with the previous secret. */
export async function rotateSecret(
  context: Context,
  key: WebhookReference,
  requestedSecret: string | null | undefined,
  hours: number,
  returning: readonly string[],
): Promise<WebhookWithSecret> {
  await runAsyncChecks(
    () => (typeof requestedSecret === 'string' ? checkWebhookSecret(requestedSecret) : undefined),
    () => (hours < 0 || hours > maxHours ? reject('hours', `0 to ${maxHours}`) : undefined),
  );
  const secret = requestedSecret ?? newWebhookSecret();
  const row = await changeWebhook(context, key, (webhook) => {
    webhook.previousSecret = hours > 0 ? webhook.secret : null;
    webhook.previousSecretEndsAt = hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null;
    webhook.secret = encryptSecret(secret, key.id, context.services.settings.webhooks.keys);
    return saveEntity(context, webhook, returning);
  });
  return { row, secret };
}

/** Invalidates the previous secret immediately. */
export const endPreviousSecret = (
  context: Context,
  key: WebhookReference,
  returning: readonly string[],
): Promise<RowOf<Webhook>> =>
  changeWebhook(context, key, (webhook) => {
    webhook.previousSecret = webhook.previousSecretEndsAt = null;
    return saveEntity(context, webhook, returning);
  });

/** Pauses a webhook at the request of its platform. Does not change a webhook that is already paused. */
export const pauseOnRequest = (context: Context, key: WebhookReference, returning: readonly string[]): Promise<RowOf<Webhook>> =>
  changeWebhook(context, key, (webhook) => {
    if (webhook.pausedAt === null) Object.assign(webhook, { pausedAt: now(), pauseReason: 'REQUESTED', pauseError: null });
    return saveEntity(context, webhook, returning);
  });

/** Resumes a webhook from the event at which it was paused. Retries failed deliveries first, or skips them. */
export const resumeWebhook = (
  context: Context,
  key: WebhookReference,
  skipsFailed: boolean,
  returning: readonly string[],
): Promise<RowOf<Webhook>> =>
  changeWebhook(context, key, async (webhook) => {
    if (skipsFailed) await giveUpFailedDeliveries(context.sql, key.id);
    if (skipsFailed || webhook.pausedAt !== null) await retryPendingDeliveries(context.sql, key.id);
    Object.assign(webhook, { pausedAt: null, pauseReason: null, pauseError: null });
    return saveEntity(context, webhook, returning);
  });
