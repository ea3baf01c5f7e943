import type { Logger } from 'pino';
import type { Session } from '../../../kernel/session.js';
import { type Outbox, templates } from '../../../messaging/ports.js';
import { thisMoment } from './this-moment.js';
import type { WebhookPauseReason } from './webhook.js';

/** What is needed to tell somebody. */
export interface Telling {
  readonly outbox: Pick<Outbox, 'enqueue'>;
  readonly log: Logger;
}

/** Pauses a webhook that is at work, because of its receiver, and tells who asked to be told. What was not delivered stays to be sent. */
export async function pauseWebhook(
  sql: Session,
  webhookId: string,
  reason: Exclude<WebhookPauseReason, 'ASKED'>,
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
        .returning(['url', 'contact_email as contactEmail', 'platform_id as platformId']),
    );
    if (!paused) return;
    const { contactEmail, platformId } = paused;
    const { host } = new URL(paused.url);
    log.warn({ webhook: webhookId, platform: platformId, host, reason, error }, 'webhook paused');
    if (contactEmail) await outbox.enqueue(templates.webhookPaused({ to: contactEmail, host, webhookId, error }), sql, 'service');
  });
}
