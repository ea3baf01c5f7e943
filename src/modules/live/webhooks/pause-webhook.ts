import { sql as raw } from 'kysely';
import type { Logger } from 'pino';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { type Outbox, templates } from '../../../messaging/ports.js';
import type { WebhookPauseReason } from './webhook.js';

/** Services that send notifications about a paused webhook. */
export interface NotificationServices {
  readonly outbox: Pick<Outbox, 'enqueueAll'>;
  readonly log: Logger;
}

/**
 * Returns the contact of a webhook and stores the time of the notification. Returns null if the contact is unconfirmed, or was notified
 * within the last day.
 */
async function claimContactNotice(sql: Session, webhookId: string): Promise<string | null> {
  const contact = await sql.first(
    sql.db
      .updateTable('webhook')
      .set({ contact_notified_at: clockTimestamp })
      .where('id', '=', webhookId)
      .where('contact_verified_at', 'is not', null)
      .where((webhook) =>
        webhook.or([
          webhook('contact_notified_at', 'is', null),
          webhook('contact_notified_at', '<', raw<string>`now() - interval '1 day'`),
        ]),
      )
      .returning('contact_email as address'),
  );
  return contact?.address ?? null;
}

/** Pauses an active webhook after failures of its receiver and notifies its contact. Undelivered events stay pending. */
export async function pauseWebhook(
  sql: Session,
  webhookId: string,
  reason: Exclude<WebhookPauseReason, 'REQUESTED'>,
  error: string,
  { outbox, log }: NotificationServices,
): Promise<void> {
  await sql.transaction(async () => {
    const webhook = await sql.first(
      sql.db
        .updateTable('webhook')
        .set({
          paused_at: clockTimestamp,
          pause_reason: reason,
          pause_error: error,
          updated_at: clockTimestamp,
          updated_by: null,
          updated_by_id: null,
        })
        .where('id', '=', webhookId)
        .where('paused_at', 'is', null)
        .returning(['url', 'platform_id as platformId']),
    );
    if (!webhook) return;
    const { platformId } = webhook;
    const { host } = new URL(webhook.url);
    log.warn({ webhook: webhookId, platform: platformId, host, reason, error }, 'webhook paused');
    const contactEmail = await claimContactNotice(sql, webhookId);
    // The email does not quote the receiver's response, because a platform chooses both the receiver and the contact. `pauseError` contains
    // the response.
    if (contactEmail)
      await outbox.enqueueAll([templates.webhookPausedMail({ to: contactEmail, host, webhookId })], sql, 'service');
  });
}
