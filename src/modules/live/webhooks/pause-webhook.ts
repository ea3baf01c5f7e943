import { sql as raw } from 'kysely';
import type { Logger } from 'pino';
import type { Session } from '../../../kernel/session.js';
import { type Outbox, templates } from '../../../messaging/ports.js';
import { thisMoment } from './this-moment.js';
import type { WebhookPauseReason } from './webhook.js';

/** What is needed to tell somebody. */
export interface Telling {
  readonly outbox: Pick<Outbox, 'enqueueAll'>;
  readonly log: Logger;
}

/** The confirmed contact of a webhook, or null if it was notified within the last day. Stores that it is notified now. */
async function claimContactNotice(sql: Session, webhookId: string): Promise<string | null> {
  const contact = await sql.first(
    sql.db
      .updateTable('webhook')
      .set({ contact_noticed_at: thisMoment })
      .where('id', '=', webhookId)
      .where('contact_verified_at', 'is not', null)
      .where((webhook) =>
        webhook.or([
          webhook('contact_noticed_at', 'is', null),
          webhook('contact_noticed_at', '<', raw<string>`now() - interval '1 day'`),
        ]),
      )
      .returning('contact_email as address'),
  );
  return contact?.address ?? null;
}

/** Pauses a webhook that is at work, because of its receiver, and tells who asked to be told. What was not delivered stays to be sent. */
export async function pauseWebhook(
  sql: Session,
  webhookId: string,
  reason: Exclude<WebhookPauseReason, 'REQUESTED'>,
  error: string,
  { outbox, log }: Telling,
): Promise<void> {
  await sql.transaction(async () => {
    const paused = await sql.first(
      sql.db
        .updateTable('webhook')
        .set({
          paused_at: thisMoment,
          pause_reason: reason,
          pause_error: error,
          updated_at: thisMoment,
          updated_by: null,
          updated_by_id: null,
        })
        .where('id', '=', webhookId)
        .where('paused_at', 'is', null)
        .returning(['url', 'platform_id as platformId']),
    );
    if (!paused) return;
    const { platformId } = paused;
    const { host } = new URL(paused.url);
    log.warn({ webhook: webhookId, platform: platformId, host, reason, error }, 'webhook paused');
    const to = await claimContactNotice(sql, webhookId);
    // The mail does not quote the receiver, because a platform chooses both the receiver and the contact. `pauseError` has the response.
    if (to) await outbox.enqueueAll([templates.webhookPaused({ to, host, webhookId })], sql, 'service');
  });
}
