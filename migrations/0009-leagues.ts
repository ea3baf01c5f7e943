import { Migration } from '@mikro-orm/migrations';

export class Migration0009Leagues extends Migration {
  override up(): void {
    this.addSql(
      `create table "league" ("id" text not null, "slug" text null, "title" text null, "logo" text null, "club_id" text null, "club_title" text null, "club_logo" text null, "format_id" text null, "format_title" text null, "player_group_id" text null, "player_group_title" text null, "type_id" text null, "type_title" text null, "player_type_id" text null, "player_type_title" text null, "location_venue" text null, "location_street_address" text null, "location_city" text null, "location_state" text null, "location_zip" text null, "location_country" text null, "location_id" text null, "utc_offset" text null, "has_daylight_saving" boolean not null default false, "session_id" text null, "session_number" text null, "is_live_session" boolean not null default false, "is_flex_play" boolean not null default false, "shown_from" timestamptz null, "registration_opens_at" timestamptz null, "registration_closes_at" timestamptz null, "signup_and_payment_type" text null, "has_online_registration" boolean not null default false, "allows_non_members" boolean not null default false, "member_fee" numeric null, "non_member_fee" numeric null, "registration_count" text null, "is_locked" boolean not null default false, "is_read_only" boolean not null default false, "is_test" boolean not null default false, "disabled_at" timestamptz null, "disabled_by" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "league" add constraint "league_slug_unique" unique ("slug")`);
    this.addSql(`create index league_club_id_idx on league (club_id, id)`);
    this.addSql(`create index league_inserted_at_idx on league (inserted_at desc nulls last, id)`);
    this.addSql(`create index league_title_part_idx on league using gin (title gin_trgm_ops)`);
    this.addSql(`create index league_title_same_idx on league using hash (title)`);
    this.addSql(
      `create table "league_listing" ("id" text not null, "slug" text null, "title" text null, "first_contact_id" text null, "second_contact_id" text null, "registration_text" text null, "website_account_text" text null, "refunds_text" text null, "other_text" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "league_listing" add constraint "league_listing_slug_unique" unique ("slug")`);
    this.addSql(`create index league_listing_inserted_at_idx on league_listing (inserted_at desc nulls last, id)`);
    this.addSql(`create index league_listing_title_same_idx on league_listing using hash (title)`);
    this.addSql(`create index club_title_part_idx on club using gin (title gin_trgm_ops)`);
    this.addSql(`create index club_title_same_idx on club using hash (title)`);
  }
}
