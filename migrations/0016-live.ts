import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges, tracked } from './shared.js';

/** Creates the tables of webhooks and their deliveries. */
export class Baseline0016Live extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook (
        id text primary key,
        platform_id text,
        url text not null,
        events text[] not null default '{}', -- such as team.changed or team.*
        contact_email text, -- after confirmation, gets an email when the service pauses the webhook, at most once a day
        contact_verified_at timestamptz, -- null until the contact is confirmed
        contact_code_hash text, -- SHA-256 of the code that confirms the contact
        contact_notified_at timestamptz, -- time of the last email
        paused_at timestamptz,
        pause_reason text, -- REQUESTED, FAILED or GONE
        pause_error text, -- error of the last attempt. Null if the platform paused it
        -- Secrets are encrypted if WEBHOOK_KEY is set. After a change, the previous secret remains valid for some time.
        previous_secret_ends_at timestamptz,
        secret text not null, previous_secret text,
        ${tracked}
      );
      create index webhook_platform_id_idx on webhook (platform_id, id);
      create index webhook_created_at_idx on webhook (created_at desc nulls last, id);
      ${auditWrites('webhook', 'Webhook', 'platformId', 'events', 'pausedAt')};
      ${logChanges('webhook', 'Webhook', 'platform_id')};
    `);
    // The table is not logged, because deliveries must not cause further deliveries.
    this.addSql(`
      create table webhook_delivery (
        id text primary key,
        webhook_id text,
        event_key text not null, -- value of the header webhook-id, the same for all attempts
        event text not null, -- such as team.changed
        record_type text not null, -- GraphQL type
        record_key text not null,
        changed_fields text[] not null default '{}', -- empty if the record was created or deleted
        happened_at timestamptz not null,
        status text not null default 'PENDING', -- PENDING, DELIVERED or GIVEN_UP
        attempts int not null default 0, -- attempts since the last manual attempt
        http_status int, -- HTTP status of the last response
        error text,
        next_attempt_at timestamptz,
        delivered_at timestamptz,
        created_at timestamptz not null default clock_timestamp(),
        cursor text, -- cursor of the change, for subscriptions
        position double precision not null default 0 -- order of the deliveries of a record
      );
      create index webhook_delivery_webhook_id_idx on webhook_delivery (webhook_id, id);
      create index webhook_delivery_created_at_idx on webhook_delivery (created_at desc nulls last, id);
      create index webhook_delivery_due_idx on webhook_delivery (webhook_id, next_attempt_at) where status = 'PENDING';
      -- Finds the first pending delivery of a record. Later deliveries wait for it.
      create index webhook_delivery_record_order_idx on webhook_delivery (webhook_id, record_type, record_key, position) where status = 'PENDING';
    `);
    // Position of each webhook in the change log.
    this.addSql(`
      create table webhook_position (
        webhook_id text primary key,
        log text not null, -- name of the log
        position bigint not null
      )
    `);
  }
}
