import { Migration } from '@mikro-orm/migrations';

export class Migration0012Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "one_time_value" ("id" text not null, "value_hash" text not null, "purpose" text not null, "user_id" text null, "expires_at" timestamptz not null, "used_at" timestamptz null, "attempts" int not null default 0, "pending" jsonb null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "one_time_value" add constraint "one_time_value_value_hash_unique" unique ("value_hash")`);
    this.addSql(`create index one_time_value_user_id_idx on one_time_value (user_id, id)`);
    this.addSql(`create index one_time_value_created_at_idx on one_time_value (created_at desc nulls last, id)`);
    this.addSql(`alter table "app_user" add "platform_id" text null`);
    this.addSql(`create index app_user_platform_id_idx on app_user (platform_id, id)`);
    // Counters of the rate limits; they may be lost in a crash, and writing them must be cheap.
    this.addSql(
      `create unlogged table "rate_limit" ("key" varchar(255) primary key, "points" integer not null default 0, "expire" bigint)`,
    );
  }
}
