import { Migration } from '@mikro-orm/migrations';

/** Addresses from which calendar apps read the games of a user: their tokens as hashes. */
export class Migration0044CalendarLinks extends Migration {
  override up(): void {
    this.addSql(
      `create table "calendar_link" ("id" text not null, "user_id" text null, "label" text null, "revoked_at" timestamptz null, "token_hash" text not null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "calendar_link" add constraint "calendar_link_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index calendar_link_user_id_idx on calendar_link (user_id, id)`);
    this.addSql(`create index calendar_link_created_at_idx on calendar_link (created_at desc nulls last, id)`);
  }
}
