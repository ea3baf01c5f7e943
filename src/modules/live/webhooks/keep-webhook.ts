import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { emailForm } from '../../../kernel/declare/email.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { now } from '../../../kernel/declare/instant.js';
import { allOfThese } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { removed, saved } from '../../../kernel/write/entities.js';
import { create } from '../../../kernel/write/save.js';
import { callingPlatform, changeWebhook } from './change-webhook.js';
import { checkReceiver } from './receiver-address.js';
import { Webhook } from './webhook.js';
import { mailContactCode, unverifiedContact } from './webhook-contact.js';
import { checkEvents } from './webhook-events.js';
import { checkWebhookSecret, newWebhookSecret, seal } from './webhook-secret.js';
import { beginAnew, beginAt, dropOf, passOver } from './webhook-sql.js';

/** Most webhooks of a platform. */
const most = 50;
/** Most hours for which a secret that was replaced signs. */
const mostHours = 168;

/** What is said of a webhook; what is absent stays as it is. */
export interface WebhookValues {
  url?: string | null | undefined;
  events?: readonly string[] | null | undefined;
  contactEmail?: string | null | undefined;
}

function checkContact(email: string | null | undefined): void {
  if (email && !emailForm.fits(email)) reject('contactEmail', emailForm.expected);
}

/** Values that are kept as they are given, once all are good. */
async function checked(
  { services: { settings } }: Context,
  { url, events, contactEmail }: WebhookValues,
  secret?: string | null,
) {
  await allOfThese(
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

export interface WithSecret {
  row: RowOf<Webhook>;
  secret: string;
}

/** Makes a webhook of the platform that asks; it hears of what is written from then on. */
export async function createWebhook(
  context: Context,
  given: WebhookValues,
  asked: string | null | undefined,
  returning: readonly string[],
): Promise<WithSecret> {
  const { services, sql } = context;
  const platformId = callingPlatform(context);
  const values = await checked(context, given, asked);
  const secret = asked ?? newWebhookSecret();
  const id = uuidv7();
  // Before there is a transaction of its own, for which the log would wait.
  const place = await services.changes.soon();
  const row = await sql.transaction(async () => {
    // Locked, so that as many as are allowed are not made twice over.
    await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', platformId).forUpdate());
    const there = await sql.run(sql.db.selectFrom('webhook').select('id').where('platform_id', '=', platformId));
    if (there.length >= most) fail('CONFLICT', `there are ${most} webhooks already: delete one first`);
    const { code, columns } = unverifiedContact();
    const kept = {
      ...values,
      ...(values.contactEmail ? columns : {}),
      platformId,
      secret: seal(secret, id, services.settings.webhooks.keys),
    };
    const made = await create(context, Webhook, { id }, returning, kept);
    await beginAt(sql, id, place);
    if (values.contactEmail) await mailContactCode(context, { to: values.contactEmail, code, webhookId: id, platformId });
    return made;
  });
  return { row, secret };
}

export async function updateWebhook(
  context: Context,
  id: string,
  given: WebhookValues,
  returning: readonly string[],
): Promise<RowOf<Webhook>> {
  const values = await checked(context, given);
  return changeWebhook(context, id, async (webhook) => {
    const { contactEmail } = values;
    const isSame = contactEmail === undefined || contactEmail === webhook.contactEmail;
    const isConfirmed = isSame && (contactEmail === undefined || webhook.contactVerifiedAt !== null);
    const { code, columns } = unverifiedContact();
    if (!isConfirmed) Object.assign(webhook, contactEmail ? columns : { contactVerifiedAt: null, contactCodeHash: null });
    Object.assign(webhook, values);
    const row = await saved(context, webhook, returning);
    if (contactEmail && !isConfirmed)
      await mailContactCode(context, { to: contactEmail, code, webhookId: id, platformId: callingPlatform(context) });
    return row;
  });
}

/** Ends a webhook, with what waits to be sent to it. */
export const deleteWebhook = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<Webhook>> =>
  changeWebhook(context, id, async (webhook) => {
    await dropOf(context.sql, id);
    return removed(context, webhook, returning);
  });

/** Gives a webhook another secret; the one before signs beside it for some hours. */
export async function rotateSecret(
  context: Context,
  id: string,
  asked: string | null | undefined,
  hours: number,
  returning: readonly string[],
): Promise<WithSecret> {
  await allOfThese(
    () => (typeof asked === 'string' ? checkWebhookSecret(asked) : undefined),
    () => (hours < 0 || hours > mostHours ? reject('hours', `0 to ${mostHours}`) : undefined),
  );
  const secret = asked ?? newWebhookSecret();
  const row = await changeWebhook(context, id, (webhook) => {
    webhook.previousSecret = hours > 0 ? webhook.secret : null;
    webhook.previousSecretEndsAt = hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null;
    webhook.secret = seal(secret, id, context.services.settings.webhooks.keys);
    return saved(context, webhook, returning);
  });
  return { row, secret };
}

/** From now on the present secret alone signs. */
export const endPreviousSecret = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<Webhook>> =>
  changeWebhook(context, id, (webhook) => {
    webhook.previousSecret = webhook.previousSecretEndsAt = null;
    return saved(context, webhook, returning);
  });

/** Sends nothing to a webhook until it is resumed; one that is paused stays as it is. */
export const pauseByHand = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<Webhook>> =>
  changeWebhook(context, id, (webhook) => {
    if (webhook.pausedAt === null) Object.assign(webhook, { pausedAt: now(), pauseReason: 'REQUESTED', pauseError: null });
    return saved(context, webhook, returning);
  });

/** Goes on where it was paused: what has failed is sent first, or passed over. */
export const resumeWebhook = (
  context: Context,
  id: string,
  skipsFailed: boolean,
  returning: readonly string[],
): Promise<RowOf<Webhook>> =>
  changeWebhook(context, id, async (webhook) => {
    if (skipsFailed) await passOver(context.sql, id);
    if (webhook.pausedAt !== null) await beginAnew(context.sql, id);
    Object.assign(webhook, { pausedAt: null, pauseReason: null, pauseError: null });
    return saved(context, webhook, returning);
  });
