import { Migration } from '@mikro-orm/migrations';

export class Migration0017Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "publishable_key" ("id" text not null, "platform_id" text null, "label" text null, "allowed_origins" text[] not null default '{}', "hint" text null, "created_at" timestamptz not null default clock_timestamp(), "revoked_at" timestamptz null, "key_hash" text not null, "updated_at" timestamptz not null default clock_timestamp(), "created_by" text null, "updated_by" text null, primary key ("id"))`,
    );
    this.addSql(`alter table "publishable_key" add constraint "publishable_key_key_hash_unique" unique ("key_hash")`);
    this.addSql(`create index publishable_key_platform_id_idx on publishable_key (platform_id, id)`);
    this.addSql(`create index publishable_key_created_at_idx on publishable_key (created_at desc nulls last, id)`);
  }
}
