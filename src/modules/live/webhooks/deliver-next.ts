import { sql as raw } from 'kysely';
import { Webhook as Signer } from 'standardwebhooks';
import { instantOf } from '../../../kernel/declare/scalars/instant.js';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { countDelivery } from './delivery-counts.js';
import { type NotificationServices, pauseWebhook } from './pause-webhook.js';
import { type PostOptions, type PostOutcome, postToReceiver } from './post.js';
import { type RetryPauses, retryPause } from './retry-pauses.js';
import { maxPastAttempts, type WebhookAttempt } from './webhook-attempt.js';
import { deliveryBody } from './webhook-events.js';
import { decryptSecret } from './webhook-secret.js';
import { type DeliveryLane, delayLane, firstPendingDelivery } from './webhook-sql.js';

/** Returns the headers of a delivery (Standard Webhooks), with one signature per secret. */
function signHeaders(eventKey: string, body: string, secrets: readonly string[], sentAt = new Date()): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Courtside-Webhooks/1',
    'webhook-id': eventKey,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventKey, sentAt, body)).join(' '),
  };
}

export interface DeliverOptions extends NotificationServices {
  readonly pauses: RetryPauses;
  /** Keys that encrypt the secrets of webhooks. */
  readonly keys: readonly string[];
  readonly postOptions: PostOptions;
}

type PendingDelivery = NonNullable<Awaited<ReturnType<typeof firstPendingDelivery>>>;

async function send(delivery: PendingDelivery, { keys, postOptions }: DeliverOptions): Promise<PostOutcome> {
  const { webhookId, url, eventKey, secret, previousSecret } = delivery;
  const body = deliveryBody(delivery);
  let headers: Record<string, string>;
  try {
    const secrets = [secret, previousSecret].flatMap((storedSecret) =>
      storedSecret === null ? [] : [decryptSecret(storedSecret, webhookId, keys)],
    );
    headers = signHeaders(eventKey, body, secrets);
  } catch (error) {
    return {
      status: null,
      error: `not sent: ${error instanceof Error ? error.message : 'the secret cannot be read'}`,
      retryAfter: null,
    };
  }
  return postToReceiver(url, headers, body, postOptions);
}

/** Sends the first delivery of a lane, if it is due, and stores the outcome. Returns whether the next delivery may be sent immediately. */
export async function deliverNext(sql: Session, lane: DeliveryLane, options: DeliverOptions): Promise<boolean> {
  const delivery = await firstPendingDelivery(sql, lane);
  if (!delivery?.isDue) return false;
  const [startedAt, start] = [instantOf(new Date()), performance.now()];
  const { status, error, response, retryAfter } = await send(delivery, options);
  // An attempt that was aborted by a shutdown does not count.
  if (error !== null && options.postOptions.signal?.aborted) return false;
  const isDelivered = error === null;
  const attempt: WebhookAttempt = {
    startedAt,
    duration: Math.round(performance.now() - start),
    httpStatus: status,
    error,
    response: response ?? null,
  };
  const pastAttempts = [...delivery.pastAttempts, attempt].slice(-maxPastAttempts);
  const updatedDelivery = await sql.first(
    sql.db
      .updateTable('webhook_delivery')
      .set(({ eb }) => ({
        attempts: eb('attempts', '+', 1),
        http_status: status,
        error: error?.slice(0, 500) ?? null,
        past_attempts: raw<WebhookAttempt[]>`${JSON.stringify(pastAttempts)}::jsonb`,
        ...(isDelivered ? { status: 'DELIVERED' as const, delivered_at: clockTimestamp, next_attempt_at: null } : {}),
      }))
      .where('id', '=', delivery.id)
      .where('status', '=', 'PENDING')
      .returning('attempts'),
  );
  countDelivery(isDelivered ? 'delivered' : 'failed');
  if (isDelivered || !updatedDelivery) return updatedDelivery !== null;
  const pause = retryPause(updatedDelivery.attempts, retryAfter, options.pauses);
  if (status === 410 || pause === null) {
    await pauseWebhook(sql, lane.webhookId, status === 410 ? 'GONE' : 'FAILED', error, options);
    countDelivery('paused');
  } else await delayLane(sql, lane, pause);
  return false;
}
