import { Migration } from '@mikro-orm/migrations';

export class Migration0015Engagement extends Migration {
  override up(): void {
    this.addSql(
      `create table "favorite" ("id" text not null, "user_id" text null, "kind" text not null, "subject_id" text not null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index favorite_user_id_idx on favorite (user_id, id)`);
    this.addSql(`create index favorite_created_at_idx on favorite (created_at desc nulls last, id)`);
    this.addSql(`alter table "favorite" add constraint "favorite_key_unique" unique ("user_id", "kind", "subject_id")`);
    this.addSql(
      `create table "muted_notification" ("id" text not null, "user_id" text null, "type_id" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index muted_notification_inserted_at_idx on muted_notification (inserted_at desc nulls last, id)`);
    this.addSql(`alter table "muted_notification" add constraint "muted_notification_key_unique" unique ("user_id", "type_id")`);
    this.addSql(
      `create table "notification" ("id" text not null, "type_id" text null, "user_id" text null, "created_at" timestamptz not null default clock_timestamp(), "read_at" timestamptz null, "event" text not null, "content" text null, "subject" text null, "subject_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index notification_user_id_idx on notification (user_id, id)`);
    this.addSql(`create index notification_created_at_idx on notification (created_at desc nulls last, id)`);
    this.addSql(
      `create index notification_unread_idx on notification (user_id, created_at desc nulls last, id) where read_at is null`,
    );
    this.addSql(
      `create table "reaction" ("id" text not null, "user_id" text null, "news_item_id" text null, "kind" text not null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index reaction_user_id_idx on reaction (user_id, id)`);
    this.addSql(`create index reaction_created_at_idx on reaction (created_at desc nulls last, id)`);
    this.addSql(`create index reaction_kind_idx on reaction (news_item_id, kind)`);
    this.addSql(`create index reaction_latest_idx on reaction (news_item_id, created_at desc nulls last, id)`);
    this.addSql(`alter table "reaction" add constraint "reaction_key_unique" unique ("user_id", "news_item_id")`);
  }
}
