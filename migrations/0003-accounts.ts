import { Migration } from '@mikro-orm/migrations';

export class Migration0003Accounts extends Migration {
  override up(): void {
    this.addSql(
      `create table "platform" ("id" text not null, "name" text not null, "domain" text null, "is_active" boolean not null default true, "allowed_origins" text[] not null default '{}', "created_at" timestamptz not null default clock_timestamp(), "token_hint" text null, "token_hash" text null, primary key ("id"))`,
    );
    this.addSql(`alter table "platform" add constraint "platform_name_unique" unique ("name")`);
    this.addSql(`alter table "platform" add constraint "platform_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index platform_created_at_idx on platform (created_at desc nulls last, id)`);
    this.addSql(
      `create table "app_user" ("id" text not null, "email" text null, "first_name" text null, "last_name" text null, "name_suffix" text null, "phone" text null, "phone_country_id" text null, "gender" text null, "date_of_birth" timestamptz null, "country_id" text null, "state_id" text null, "city" text null, "zip" text null, "slug" text null, "profile_image" text null, "is_super_admin" boolean not null default false, "verified_at" timestamptz null, "created_at" timestamptz not null default clock_timestamp(), "password_hash" text null, primary key ("id"))`,
    );
    this.addSql(`alter table "app_user" add constraint "app_user_email_unique" unique ("email")`);
    this.addSql(`alter table "app_user" add constraint "app_user_slug_unique" unique ("slug")`);
    this.addSql(`create index app_user_phone_idx on app_user (phone, id)`);
    this.addSql(`create index app_user_created_at_idx on app_user (created_at desc nulls last, id)`);
  }
}
