import { Migration } from '@mikro-orm/migrations';

export class Migration0004Leagues extends Migration {
  override up(): void {
    this.addSql(
      `create table "club" ("id" text not null, "slug" text null, "title" text null, "first_contact_id" text null, "second_contact_id" text null, "registration_text" text null, "website_account_text" text null, "refunds_text" text null, "other_text" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "club" add constraint "club_slug_unique" unique ("slug")`);
    this.addSql(`create index club_inserted_at_idx on club (inserted_at desc nulls last, id)`);
  }
}
