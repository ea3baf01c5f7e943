import { Migration } from '@mikro-orm/migrations';

export class Migration0002Reference extends Migration {
  override up(): void {
    this.addSql(
      `create table "amenity_type" ("id" text not null, "title" text null, "is_enabled" boolean not null default false, "display_order" double precision null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index amenity_type_inserted_at_idx on amenity_type (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "bracket_level" ("id" text not null, "title" text null, "display_order" double precision null, "is_enabled" boolean not null default false, "public_display_order" double precision null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index bracket_level_inserted_at_idx on bracket_level (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "contact_reason" ("id" text not null, "name" text null, "for_tournaments" boolean not null default false, "for_platforms" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index contact_reason_inserted_at_idx on contact_reason (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "country" ("id" text not null, "abbreviation" text null, "alpha2" text null, "title" text null, "calling_code" text null, "state_title" text null, "zip_code_title" text null, "system_text_number_id" text null, "region_id" double precision null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index country_system_text_number_id_idx on country (system_text_number_id, id)`);
    this.addSql(`create index country_inserted_at_idx on country (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "currency" ("id" text not null, "title" text null, "abbreviation" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index currency_inserted_at_idx on currency (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "equipment_type" ("id" text not null, "title" text null, "is_active" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index equipment_type_inserted_at_idx on equipment_type (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "format" ("id" text not null, "title" text null, "display_order" double precision null, "is_enabled" boolean not null default false, "needs_partner" boolean not null default false, "short_hand" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index format_inserted_at_idx on format (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "governing_body" ("id" text not null, "code" text not null, "name" text null, "short_name" text null, "is_active" boolean not null default false, "is_search_filter" boolean not null default false, "filter_search_param" text null, "display_order" double precision null, "url" text null, "club_id" text null, "logo_url" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index governing_body_inserted_at_idx on governing_body (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "module_type" ("id" text not null, "title" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index module_type_inserted_at_idx on module_type (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "player_group" ("id" text not null, "title" text null, "description" text null, "display_order" double precision null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index player_group_inserted_at_idx on player_group (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "pro_level" ("id" text not null, "title" text null, "display_order" double precision null, "is_enabled" boolean not null default false, "is_pro" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index pro_level_inserted_at_idx on pro_level (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "push_notification_type" ("id" text not null, "title" text null, "description" text null, "is_enabled" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(
      `create index push_notification_type_inserted_at_idx on push_notification_type (inserted_at desc nulls last, id)`,
    );
    this.addSql(
      `create table "ranking_division" ("id" text not null, "title" text null, "display_order" double precision null, "is_active" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index ranking_division_inserted_at_idx on ranking_division (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "rating_level" ("id" text not null, "title" text null, "lowest" double precision null, "highest" double precision null, "self_start_point" double precision null, "hierarchy" double precision null, "is_enabled" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index rating_level_inserted_at_idx on rating_level (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "referee_term" ("id" text not null, "kind" text not null, "code" text not null, "name" text null, "length_in_minutes" double precision null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index referee_term_kind_idx on referee_term (kind, id)`);
    this.addSql(`create index referee_term_inserted_at_idx on referee_term (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "role" ("id" text not null, "title" text not null, "inherited_ids" text[] not null default '{}', "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index role_inserted_at_idx on role (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "state" ("id" text not null, "code" text not null, "abbreviation" text null, "title" text null, "country_id" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "state" add constraint "state_code_unique" unique ("code")`);
    this.addSql(`create index state_country_id_idx on state (country_id, id)`);
    this.addSql(`create index state_inserted_at_idx on state (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "system_text_number" ("id" text not null, "phone_number" text null, "is_enabled" boolean not null default false, "text_platform" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index system_text_number_inserted_at_idx on system_text_number (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "tier_level" ("id" text not null, "name" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index tier_level_inserted_at_idx on tier_level (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "time_zone" ("id" text not null, "utc_offset" double precision null, "name" text null, "abbreviation" text null, "full_name" text null, "has_dst" boolean not null default false, "iana_name" text null, "daylight_change" timestamptz null, "standard_change" timestamptz null, "daylight_abbreviation" text null, "daylight_utc_offset" double precision null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index time_zone_inserted_at_idx on time_zone (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "watch_channel" ("id" text not null, "title" text null, "display_order" double precision null, "is_active" boolean not null default false, "url" text null, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index watch_channel_inserted_at_idx on watch_channel (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "watch_event_type" ("id" text not null, "title" text null, "display_order" double precision null, "is_active" boolean not null default false, "position" int null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index watch_event_type_inserted_at_idx on watch_event_type (inserted_at desc nulls last, id)`);
  }
}
