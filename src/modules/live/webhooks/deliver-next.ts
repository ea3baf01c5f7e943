import type { Session } from '../../../kernel/session.js';
import { countDelivery } from './delivery-counts.js';
import { pauseWebhook, type Telling } from './pause-webhook.js';
import { type PostOptions, type PostOutcome, post } from './post.js';
import { pauseBefore, type RetryPauses } from './retry-pauses.js';
import { bodyOf, signedHeaders } from './signed.js';
import { thisMoment } from './this-moment.js';
import { unseal } from './webhook-secret.js';
import { holdLane, type Lane, nextOf } from './webhook-sql.js';

export interface Delivering extends Telling {
  readonly pauses: RetryPauses;
  /** Keys under which secrets are kept. */
  readonly keys: readonly string[];
  readonly posting: PostOptions;
}

type Next = NonNullable<Awaited<ReturnType<typeof nextOf>>>;

async function send(delivery: Next, { keys, posting }: Delivering): Promise<PostOutcome> {
  const { webhookId, url, eventKey, secret, previousSecret } = delivery;
  let secrets: string[];
  try {
    secrets = [secret, previousSecret].flatMap((kept) => (kept === null ? [] : [unseal(kept, webhookId, keys)]));
  } catch (error) {
    return { status: null, error: `not sent: ${error instanceof Error ? error.message : 'no secret'}`, retryAfter: null };
  }
  const body = bodyOf({ ...delivery, cursor: delivery.cursor ?? '' });
  return post(url, signedHeaders(eventKey, body, secrets), body, posting);
}

/** Sends the first delivery of a lane, if it is due, and keeps what became of it; whether there may be another one to send at once. */
export async function deliverNext(sql: Session, lane: Lane, delivering: Delivering): Promise<boolean> {
  const delivery = await nextOf(sql, lane);
  if (!delivery?.isDue) return false;
  const { status, error, retryAfter } = await send(delivery, delivering);
  // Whoever stops has not been told anything by the receiver.
  if (error !== null && delivering.posting.signal?.aborted) return false;
  const isDone = error === null;
  const kept = await sql.first(
    sql.db
      .updateTable('webhook_delivery')
      .set(({ eb }) => ({
        attempts: eb('attempts', '+', 1),
        http_status: status,
        error: error?.slice(0, 500) ?? null,
        ...(isDone ? { status: 'DELIVERED' as const, delivered_at: thisMoment, next_attempt_at: null } : {}),
      }))
      .where('id', '=', delivery.id)
      .where('status', '=', 'PENDING')
      .returning('attempts'),
  );
  countDelivery(isDone ? 'delivered' : 'failed');
  if (isDone || !kept) return kept !== null;
  const pause = pauseBefore(kept.attempts, retryAfter, delivering.pauses);
  if (status === 410 || pause === null) {
    await pauseWebhook(sql, lane.webhookId, status === 410 ? 'GONE' : 'FAILED', error, delivering);
    countDelivery('paused');
  } else await holdLane(sql, lane, pause);
  return false;
}
