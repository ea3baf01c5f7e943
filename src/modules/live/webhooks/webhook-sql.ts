import type { ChangePosition } from '../../../kernel/changes/index.js';
import { sqlForReading, sqlForWriting } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import type { WebhookAttempt } from './webhook-attempt.js';
import { missedEvent, type QueuedEvent } from './webhook-events.js';

/** Row shape of active webhooks. */
const webhookShape = { id: is.text, events: is.texts };

/** Reads the active webhooks of enabled platforms. */
export const readActiveWebhooks = (sql: Session) =>
  sql.rows(
    sqlForReading(
      ['webhook', 'platform'],
      `select w.id, w.events from webhook w join platform p on p.id = w.platform_id
     where w.paused_at is null and p.is_enabled order by w.id`,
    ),
    [],
    webhookShape,
  );

/** Whether any webhook is active. */
export const hasActiveWebhook = async (sql: Session): Promise<boolean> =>
  (
    await sql.row(sqlForReading(['webhook'], 'select exists (select from webhook where paused_at is null) as "isThere"'), [], {
      isThere: is.boolean,
    })
  )?.isThere === true;

/** Saves the start position of a new webhook in the change log. */
export const insertPosition = (sql: Session, webhookId: string, { log, position }: ChangePosition): Promise<unknown> =>
  sql.rows(
    sqlForWriting(['webhook_position'], `insert into webhook_position (webhook_id, log, "position") values ($1, $2, $3)`),
    [webhookId, log, position],
  );

/** Reads the log position of the last change that was processed for a webhook. */
export const positionOfWebhook = (sql: Session, webhookId: string): Promise<ChangePosition | null> =>
  sql.row(
    sqlForReading(['webhook_position'], `select log, "position" from webhook_position where webhook_id = $1`),
    [webhookId],
    {
      log: is.text,
      position: is.number,
    },
  );

/**
 * Moves the pending deliveries of a webhook ahead of all deliveries that are added later. Required when a new change log starts, because
 * its positions start from zero.
 */
export const moveToFront = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `update webhook_delivery set "position" = "position" - 1e13 where webhook_id = $1 and status = 'PENDING'`,
    ),
    [webhookId],
  );

/** Returns the number of pending deliveries of a webhook. */
export const countPending = async (sql: Session, webhookId: string): Promise<number> =>
  (
    await sql.row(
      sqlForReading(
        ['webhook_delivery'],
        `select count(*) as n from webhook_delivery where webhook_id = $1 and status = 'PENDING'`,
      ),
      [webhookId],
      {
        n: is.number,
      },
    )
  )?.n ?? 0;

/** Row shape of a lane. */
const laneShape = { webhookId: is.text, recordType: is.text, recordKey: is.text, platformId: is.text };
/** Deliveries of one record to one webhook, which are sent one at a time. */
export interface DeliveryLane {
  readonly platformId: string;
  readonly webhookId: string;
  readonly recordType: string;
  readonly recordKey: string;
}

/** Reads the lanes whose first delivery is due, at most `maxPerWebhook` lanes per webhook. Excludes `busyLanes`. */
export const dueLanes = (sql: Session, busyLanes: readonly DeliveryLane[], maxPerWebhook: number): Promise<DeliveryLane[]> =>
  sql.rows(
    sqlForReading(
      ['webhook', 'platform', 'webhook_delivery'],
      `select due.*, w.platform_id as "platformId" from webhook w join platform p on p.id = w.platform_id and p.is_enabled cross join lateral (
       select d.webhook_id as "webhookId", d.record_type as "recordType", d.record_key as "recordKey" from webhook_delivery d
       where d.webhook_id = w.id and d.status = 'PENDING' and d.next_attempt_at <= now()
         and (d.webhook_id, d.record_type, d.record_key) not in (select * from unnest($1::text[], $2::text[], $3::text[]))
         and not exists (select from webhook_delivery e where e.webhook_id = d.webhook_id and e.record_type = d.record_type
           and e.record_key = d.record_key and e.status = 'PENDING' and (e."position", e.id) < (d."position", d.id))
       order by d.next_attempt_at limit $4) due
     where w.paused_at is null`,
      { otherDependency: 'now' },
    ),
    [
      busyLanes.map(({ webhookId }) => webhookId),
      busyLanes.map(({ recordType }) => recordType),
      busyLanes.map(({ recordKey }) => recordKey),
      maxPerWebhook,
    ],
    laneShape,
  );

/** Row shape of a delivery, including the secrets that sign it. */
const deliveryShape = {
  id: is.text,
  eventKey: is.text,
  event: is.text,
  recordType: is.text,
  recordKey: is.text,
  changedFields: is.texts,
  happenedAt: is.text,
  cursor: is.orNull(is.text),
  attempts: is.number,
  pastAttempts: is.json<WebhookAttempt[]>(),
  isDue: is.boolean,
  webhookId: is.text,
  url: is.text,
  secret: is.text,
  previousSecret: is.orNull(is.text),
};

/** Reads the first pending delivery of a lane. Null if no delivery is pending, the webhook is paused, or its platform is disabled. */
export const firstPendingDelivery = (sql: Session, { webhookId, recordType, recordKey }: DeliveryLane) =>
  sql.row(
    sqlForReading(
      ['webhook_delivery', 'webhook', 'platform'],
      `select d.id, d.event_key as "eventKey", d.event, d.record_type as "recordType", d.record_key as "recordKey",
       d.changed_fields as "changedFields", d.happened_at as "happenedAt", d.cursor, d.attempts, d.past_attempts as "pastAttempts", d.next_attempt_at <= now() as "isDue",
       w.id as "webhookId", w.url, w.secret, case when w.previous_secret_ends_at > now() then w.previous_secret end as "previousSecret"
     from webhook_delivery d join webhook w on w.id = d.webhook_id and w.paused_at is null
       join platform p on p.id = w.platform_id and p.is_enabled
     where d.webhook_id = $1 and d.record_type = $2 and d.record_key = $3 and d.status = 'PENDING'
     order by d."position", d.id limit 1`,
      { otherDependency: 'now' },
    ),
    [webhookId, recordType, recordKey],
    deliveryShape,
  );

/** Delays all pending deliveries of a lane. */
export const delayLane = (sql: Session, { webhookId, recordType, recordKey }: DeliveryLane, seconds: number): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `update webhook_delivery set next_attempt_at = clock_timestamp() + make_interval(secs => $4)
     where webhook_id = $1 and record_type = $2 and record_key = $3 and status = 'PENDING'`,
    ),
    [webhookId, recordType, recordKey, seconds],
  );

/** Makes a delivery due immediately, even if it was sent successfully before. Also makes all pending deliveries of its lane due. */
export const makeDue = (sql: Session, id: string): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `update webhook_delivery d
     set next_attempt_at = clock_timestamp(),
       status = 'PENDING',
       attempts = case d.id when $1 then 0 else d.attempts end,
       delivered_at = case d.id when $1 then null else d.delivered_at end
     from webhook_delivery requested
     where requested.id = $1 and d.webhook_id = requested.webhook_id and d.record_type = requested.record_type and d.record_key = requested.record_key
       and (d.id = $1 or d.status = 'PENDING')`,
      ['webhook_delivery'],
    ),
    [id],
  );

/** Makes all pending deliveries of a webhook due and resets their attempts to zero. */
export const retryPendingDeliveries = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `update webhook_delivery set next_attempt_at = clock_timestamp(), attempts = 0 where webhook_id = $1 and status = 'PENDING'`,
    ),
    [webhookId],
  );

/** Sets the status `GIVEN_UP` on those pending deliveries of a webhook that have failed at least once. */
export const giveUpFailedDeliveries = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `update webhook_delivery set status = 'GIVEN_UP', next_attempt_at = null where webhook_id = $1 and status = 'PENDING' and attempts > 0`,
    ),
    [webhookId],
  );

/** Deletes the deliveries and the log position of a webhook. */
export async function deleteQueue(sql: Session, webhookId: string): Promise<void> {
  await sql.rows(sqlForWriting(['webhook_delivery'], 'delete from webhook_delivery where webhook_id = $1'), [webhookId]);
  await sql.rows(sqlForWriting(['webhook_position'], 'delete from webhook_position where webhook_id = $1'), [webhookId]);
}

/**
 * Adds events to the queue of a webhook. Does not change events that are already in the queue. Events in a delayed lane are delayed as
 * well. If `position` is given, the same statement also stores the log position, but never lowers it within a log, because another process may
 * be ahead.
 */
export const addDeliveries = (
  sql: Session,
  webhookId: string,
  events: readonly (QueuedEvent & { id: string })[],
  position: ChangePosition | null = null,
): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_position', 'webhook_delivery'],
      `with stored as (
       update webhook_position set "position" = case when log = $3::text then greatest("position", $4::bigint) else $4::bigint end, log = $3::text
       where webhook_id = $1 and $3::text is not null
     )
     insert into webhook_delivery (id, webhook_id, event_key, event, record_type, record_key, changed_fields, happened_at, cursor, "position", next_attempt_at)
     select id, $1, "eventKey", event, "recordType", "recordKey",
       array(select jsonb_array_elements_text("changedFields")), "happenedAt", cursor, "position",
       coalesce((select max(d.next_attempt_at) from webhook_delivery d
         where d.webhook_id = $1 and d.record_type = t."recordType" and d.record_key = t."recordKey" and d.status = 'PENDING'), clock_timestamp())
     from jsonb_to_recordset($2::jsonb) as t(id text, "eventKey" text, event text, "recordType" text, "recordKey" text,
       "changedFields" jsonb, "happenedAt" timestamptz, cursor text, "position" float8)
     where exists (select from webhook where id = $1)
     on conflict (id) do nothing`,
      ['webhook', 'webhook_delivery'],
    ),
    [webhookId, JSON.stringify(events), position?.log ?? null, position?.position ?? 0],
  );

/** Deletes deliveries older than `days`. Webhooks that lose pending deliveries this way get the event `changes.missed`. */
export const deleteOldDeliveries = (sql: Session, days: number): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['webhook_delivery'],
      `with old as (
       delete from webhook_delivery where created_at < now() - make_interval(days => $1) returning webhook_id, status, event
     )
     insert into webhook_delivery (id, webhook_id, event_key, event, record_type, record_key, happened_at, next_attempt_at)
     select gen_random_uuid()::text, id, 'evt_' || gen_random_uuid(), '${missedEvent}', 'Webhook', id, now(), now()
     from webhook where id in (select webhook_id from old where status = 'PENDING')`,
      ['webhook'],
    ),
    [days],
  );

/** Returns the number of webhooks that the service paused after failures. */
export async function countFailedWebhooks(sql: Session): Promise<number> {
  const row = await sql.row(
    sqlForReading(['webhook'], `select count(*) as n from webhook where paused_at is not null and pause_reason <> 'REQUESTED'`),
    [],
    { n: is.number },
  );
  return row?.n ?? 0;
}

/** Returns the number of pending deliveries of all webhooks. */
export async function countPendingDeliveries(sql: Session): Promise<number> {
  const row = await sql.row(
    sqlForReading(['webhook_delivery'], `select count(*) as n from webhook_delivery where status = 'PENDING'`),
    [],
    { n: is.number },
  );
  return row?.n ?? 0;
}
