import { Migration } from '@mikro-orm/migrations';

export class Migration0006Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "user_token" ("id" text not null, "token_hash" text not null, "user_id" text null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, "device" text null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "user_token" add constraint "user_token_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index user_token_user_id_idx on user_token (user_id, id)`);
    this.addSql(`create index user_token_created_at_idx on user_token (created_at desc nulls last, id)`);
    this.addSql(`alter table "app_user" add "role_ids" text[] not null default '{}'`);
  }
}
