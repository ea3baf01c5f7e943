import type { ChangePlace } from '../../../kernel/changes/index.js';
import { readSql, writeSql } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { missedEvent, type ToSend } from './webhook-events.js';

/** A webhook that is at work, as far as it is followed. */
const atWork = { id: is.text, events: is.texts };

/** Those at work, of platforms that may call the service. */
export const webhooksAtWork = (sql: Session) =>
  sql.rows(
    readSql(
      ['webhook', 'platform'],
      `select w.id, w.events from webhook w join platform p on p.id = w.platform_id
     where w.paused_at is null and p.is_enabled order by w.id`,
    ),
    [],
    atWork,
  );

/** Whether there is one. */
export const isAnyAtWork = async (sql: Session): Promise<boolean> =>
  (
    await sql.row(readSql(['webhook'], 'select exists (select from webhook where paused_at is null) as "isThere"'), [], {
      isThere: is.boolean,
    })
  )?.isThere === true;

/** Has a new webhook hear of what is told behind a place. */
export const beginAt = (sql: Session, webhookId: string, { log, position }: ChangePlace): Promise<unknown> =>
  sql.rows(writeSql(['webhook_place'], `insert into webhook_place (webhook_id, log, "position") values ($1, $2, $3)`), [
    webhookId,
    log,
    position,
  ]);

/** Up to where what a webhook hears of was taken from the log. */
export const placeOfWebhook = (sql: Session, webhookId: string): Promise<ChangePlace | null> =>
  sql.row(readSql(['webhook_place'], `select log, "position" from webhook_place where webhook_id = $1`), [webhookId], {
    log: is.text,
    position: is.number,
  });

/** What waits for a webhook goes before all that is told from now on, where positions begin anew. */
export const putFirst = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_delivery'],
      `update webhook_delivery set "position" = "position" - 1e13 where webhook_id = $1 and status = 'PENDING'`,
    ),
    [webhookId],
  );

/** How many deliveries of a webhook are to be sent. */
export const countWaiting = async (sql: Session, webhookId: string): Promise<number> =>
  (
    await sql.row(
      readSql(['webhook_delivery'], `select count(*) as n from webhook_delivery where webhook_id = $1 and status = 'PENDING'`),
      [webhookId],
      {
        n: is.number,
      },
    )
  )?.n ?? 0;

/** What is sent one after the other: deliveries of one record to one webhook. */
const lane = { webhookId: is.text, recordType: is.text, recordKey: is.text, platformId: is.text };
export interface Lane {
  readonly platformId: string;
  readonly webhookId: string;
  readonly recordType: string;
  readonly recordKey: string;
}

/** Lanes whose first delivery is due, but for those that are at work, so many of each webhook. */
export const dueLanes = (sql: Session, busy: readonly Lane[], mostOfEach: number): Promise<Lane[]> =>
  sql.rows(
    readSql(
      ['webhook', 'platform', 'webhook_delivery'],
      `select due.*, w.platform_id as "platformId" from webhook w join platform p on p.id = w.platform_id and p.is_enabled cross join lateral (
       select d.webhook_id as "webhookId", d.record_type as "recordType", d.record_key as "recordKey" from webhook_delivery d
       where d.webhook_id = w.id and d.status = 'PENDING' and d.next_attempt_at <= now()
         and (d.webhook_id, d.record_type, d.record_key) not in (select * from unnest($1::text[], $2::text[], $3::text[]))
         and not exists (select from webhook_delivery e where e.webhook_id = d.webhook_id and e.record_type = d.record_type
           and e.record_key = d.record_key and e.status = 'PENDING' and (e."position", e.id) < (d."position", d.id))
       order by d.next_attempt_at limit $4) due
     where w.paused_at is null`,
      { volatileBy: 'now' },
    ),
    [
      busy.map(({ webhookId }) => webhookId),
      busy.map(({ recordType }) => recordType),
      busy.map(({ recordKey }) => recordKey),
      mostOfEach,
    ],
    lane,
  );

/** What is sent next, and by which secrets it is signed. */
const next = {
  id: is.text,
  eventKey: is.text,
  event: is.text,
  recordType: is.text,
  recordKey: is.text,
  changedFields: is.texts,
  happenedAt: is.text,
  cursor: is.orNull(is.text),
  attempts: is.number,
  isDue: is.boolean,
  webhookId: is.text,
  url: is.text,
  secret: is.text,
  previousSecret: is.orNull(is.text),
};

/** The first delivery of a lane that is to be sent, while its webhook is at work. */
export const nextOf = (sql: Session, { webhookId, recordType, recordKey }: Lane) =>
  sql.row(
    readSql(
      ['webhook_delivery', 'webhook', 'platform'],
      `select d.id, d.event_key as "eventKey", d.event, d.record_type as "recordType", d.record_key as "recordKey",
       d.changed_fields as "changedFields", d.happened_at as "happenedAt", d.cursor, d.attempts, d.next_attempt_at <= now() as "isDue",
       w.id as "webhookId", w.url, w.secret, case when w.previous_secret_ends_at > now() then w.previous_secret end as "previousSecret"
     from webhook_delivery d join webhook w on w.id = d.webhook_id and w.paused_at is null
       join platform p on p.id = w.platform_id and p.is_enabled
     where d.webhook_id = $1 and d.record_type = $2 and d.record_key = $3 and d.status = 'PENDING'
     order by d."position", d.id limit 1`,
      { volatileBy: 'now' },
    ),
    [webhookId, recordType, recordKey],
    next,
  );

/** Has a lane wait, with all that is in it: what is behind the first is not looked at while that one is not due. */
export const holdLane = (sql: Session, { webhookId, recordType, recordKey }: Lane, seconds: number): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_delivery'],
      `update webhook_delivery set next_attempt_at = clock_timestamp() + make_interval(secs => $4)
     where webhook_id = $1 and record_type = $2 and record_key = $3 and status = 'PENDING'`,
    ),
    [webhookId, recordType, recordKey, seconds],
  );

/** Has a delivery sent once more, and what waits behind it in its lane. */
export const dueAtOnce = (sql: Session, id: string): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_delivery'],
      `update webhook_delivery d
     set next_attempt_at = clock_timestamp(),
       status = 'PENDING',
       attempts = case d.id when $1 then 0 else d.attempts end,
       delivered_at = case d.id when $1 then null else d.delivered_at end
     from webhook_delivery asked
     where asked.id = $1 and d.webhook_id = asked.webhook_id and d.record_type = asked.record_type and d.record_key = asked.record_key
       and (d.id = $1 or d.status = 'PENDING')`,
      ['webhook_delivery'],
    ),
    [id],
  );

/** What waits of a webhook is due, as if it had not been sent before. */
export const beginAnew = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_delivery'],
      `update webhook_delivery set next_attempt_at = clock_timestamp(), attempts = 0 where webhook_id = $1 and status = 'PENDING'`,
    ),
    [webhookId],
  );

/** What has failed of a webhook is not sent any more. */
export const passOver = (sql: Session, webhookId: string): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_delivery'],
      `update webhook_delivery set status = 'GIVEN_UP', next_attempt_at = null where webhook_id = $1 and status = 'PENDING' and attempts > 0`,
    ),
    [webhookId],
  );

/** What is kept beside a webhook goes with it. */
export async function dropOf(sql: Session, webhookId: string): Promise<void> {
  await sql.rows(writeSql(['webhook_delivery'], 'delete from webhook_delivery where webhook_id = $1'), [webhookId]);
  await sql.rows(writeSql(['webhook_place'], 'delete from webhook_place where webhook_id = $1'), [webhookId]);
}

/**
 * Puts events into the queue of a webhook; those that are there already stay as they are. What comes behind something that waits, waits with it.
 * With a place it is noted in the same statement that everything up to there was taken; that does not go back, because another process may
 * have come further.
 */
export const addDeliveries = (
  sql: Session,
  webhookId: string,
  events: readonly (ToSend & { id: string })[],
  place: ChangePlace | null = null,
): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['webhook_place', 'webhook_delivery'],
      `with noted as (
       update webhook_place set "position" = case when log = $3::text then greatest("position", $4::bigint) else $4::bigint end, log = $3::text
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
    [webhookId, JSON.stringify(events), place?.log ?? null, place?.position ?? 0],
  );

/**
 * Forgets deliveries of so many days ago. Where some were not sent, because their webhook was paused that long or its receiver is too slow, it
 * is told that it must read anew.
 */
export const forgetDeliveries = (sql: Session, days: number): Promise<unknown> =>
  sql.rows(
    writeSql(
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
