import { Migration } from '@mikro-orm/migrations';

/** Addresses to which platforms have changes sent, what is sent to them, and up to where that was taken from the log. */
export class Migration0047Webhooks extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook" ("id" text not null, "platform_id" text null, "url" text not null, "events" text[] not null default '{}', "contact_email" text null, "paused_at" timestamptz null, "pause_reason" text null, "pause_error" text null, "previous_secret_ends_at" timestamptz null, "secret" text not null, "previous_secret" text null, "created_at" timestamptz not null default clock_timestamp(), "updated_at" timestamptz not null default clock_timestamp(), "created_by" text null, "updated_by" text null, "created_by_id" text null, "updated_by_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index webhook_platform_id_idx on webhook (platform_id, id)`);
    this.addSql(`create index webhook_created_at_idx on webhook (created_at desc nulls last, id)`);
    this.addSql(
      `create table "webhook_delivery" ("id" text not null, "webhook_id" text null, "event_key" text not null, "event" text not null, "record_type" text not null, "record_key" text not null, "changed_fields" text[] not null default '{}', "happened_at" timestamptz not null, "status" text not null default 'PENDING', "attempts" int not null default 0, "http_status" int null, "error" text null, "next_attempt_at" timestamptz null, "delivered_at" timestamptz null, "created_at" timestamptz not null default clock_timestamp(), "cursor" text null, "position" double precision not null default 0, primary key ("id"))`,
    );
    this.addSql(`create index webhook_delivery_webhook_id_idx on webhook_delivery (webhook_id, id)`);
    this.addSql(`create index webhook_delivery_created_at_idx on webhook_delivery (created_at desc nulls last, id)`);
    this.addSql(
      `create index webhook_delivery_due_idx on webhook_delivery (webhook_id, next_attempt_at) where status = 'PENDING'`,
    );
    this.addSql(
      `create index webhook_delivery_lane_idx on webhook_delivery (webhook_id, record_type, record_key, "position") where status = 'PENDING'`,
    );
    this.addSql(
      `create table webhook_place ("webhook_id" text not null, "log" text not null, "position" bigint not null, primary key ("webhook_id"))`,
    );
    this.addSql(
      `create trigger audited after insert or update or delete on webhook for each row execute function audit_write('Webhook', 'platformId', 'events', 'pausedAt')`,
    );
    // What happens to webhooks is no event of theirs, so that nothing follows from itself. Deliveries stand in no log.
    this.addSql(`select log_changes('webhook', 'Webhook', array[]::text[])`);
    // Of a game that is gone it is known by this who saw it.
    this.addSql(`select log_changes('game', 'Game', array['is_invite_only'])`);
  }
}
