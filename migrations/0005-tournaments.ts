import { Migration } from '@mikro-orm/migrations';

export class Migration0005Tournaments extends Migration {
  override up(): void {
    // What a list of objects becomes by a patch: parts given win over parts held by the object of the same key, parts that are null or false
    // are left out, and so are objects of nothing but their key. An empty patch empties the list.
    this.addSql(`create or replace function merged(held jsonb, given jsonb, key text) returns jsonb language sql immutable parallel safe as $$
      with parts as (
        select distinct on (item ->> key, part) item ->> key as id, part, value
        from jsonb_array_elements(held || given) with ordinality entry(item, place), jsonb_each(item) pair(part, value)
        order by item ->> key, part, place desc
      ), entries as (
        select id, jsonb_object_agg(part, value) as entry from parts where value not in ('null', 'false') group by id having count(*) > 1
      )
      select case when given = '[]' then given else (select coalesce(jsonb_agg(entry order by id), '[]') from entries) end
    $$`);
    this.addSql(
      `create table "event_registration" ("id" text not null, "registration_id" text null, "event_id" text null, "team_id" text null, "user_id" text null, "created_at" timestamptz null, "created_by" text null, "updated_at" timestamptz null, "updated_by" text null, "status" double precision null, "update_location" text null, "player_group_number" double precision null, "format_number" double precision null, "original_event_id" text null, "partner_registration_id" text null, "partner_id" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index event_registration_registration_id_idx on event_registration (registration_id, id)`);
    this.addSql(`create index event_registration_event_id_idx on event_registration (event_id, id)`);
    this.addSql(`create index event_registration_team_id_idx on event_registration (team_id, id)`);
    this.addSql(`create index event_registration_user_id_idx on event_registration (user_id, id)`);
    this.addSql(`create index event_registration_inserted_at_idx on event_registration (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "final_standing" ("id" text not null, "event_id" text null, "team_id" text null, "final_ranking" double precision null, "created_at" timestamptz null, "updated_at" timestamptz null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index final_standing_event_id_idx on final_standing (event_id, id)`);
    this.addSql(`create index final_standing_team_id_idx on final_standing (team_id, id)`);
    this.addSql(`create index final_standing_inserted_at_idx on final_standing (inserted_at desc nulls last, id)`);
    this.addSql(`alter table "final_standing" add constraint "final_standing_key_unique" unique ("event_id", "team_id")`);
    this.addSql(
      `create table "registration" ("id" text not null, "tournament_id" text null, "user_id" text null, "created_at" timestamptz null, "created_by" text null, "updated_at" timestamptz null, "updated_by" text null, "update_location" text null, "promo_code" text null, "has_partner" boolean not null default false, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index registration_tournament_id_idx on registration (tournament_id, id)`);
    this.addSql(`create index registration_user_id_idx on registration (user_id, id)`);
    this.addSql(`create index registration_inserted_at_idx on registration (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "team" ("id" text not null, "player_one_id" text null, "player_two_id" text null, "ranking" double precision null, "rating" double precision null, "seed" double precision null, "player_one_rank" double precision null, "player_one_rating" double precision null, "player_two_rank" double precision null, "player_two_rating" double precision null, "event_id" text null, "tournament_id" text null, "rating_games_played" text null, "registration_one_id" text null, "registration_two_id" text null, "platform_id" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index team_player_one_id_idx on team (player_one_id, id)`);
    this.addSql(`create index team_player_two_id_idx on team (player_two_id, id)`);
    this.addSql(`create index team_event_id_idx on team (event_id, id)`);
    this.addSql(`create index team_tournament_id_idx on team (tournament_id, id)`);
    this.addSql(`create index team_inserted_at_idx on team (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "tournament" ("id" text not null, "code" text null, "referee_code" text null, "club_id" text null, "platform" text null, "title" text null, "details_url" text null, "format_code" text null, "logo" text null, "scroller_logo" text null, "tickets_url" text null, "location_city" text null, "location_country" text null, "location_state" text null, "location_street_address" text null, "location_venue" text null, "location_zip" text null, "location_latitude" double precision null, "location_longitude" double precision null, "contact_registration" text null, "contact_website_account" text null, "contact_refunds" text null, "contact_other" text null, "contact_partner_change" text null, "contact_volunteer" text null, "contact_referee" text null, "contact_vendor" text null, "contact_sponsor" text null, "contact_public_name" text null, "contact_public_email" text null, "contact_public_phone" text null, "starts_at" timestamptz null, "ends_at" timestamptz null, "registration_opens_at" timestamptz null, "registration_closes_at" timestamptz null, "shown_from" timestamptz null, "shown_until" timestamptz null, "archived_at" timestamptz null, "completed_at" timestamptz null, "created_at" timestamptz null, "updated_at" timestamptz null, "locked_at" timestamptz null, "advertised_from" timestamptz null, "advertised_until" timestamptz null, "time_zone" text null, "time_zone_abbreviation" text null, "time_zone_number" double precision null, "registration_fee" numeric null, "currency" text null, "charges_per_event" boolean not null default false, "has_prize_money" boolean not null default false, "registration_count" double precision null, "is_registration_closed" boolean not null default false, "has_online_registration" boolean not null default false, "is_cancelled" boolean not null default false, "is_featured" boolean not null default false, "is_featured_plus" boolean not null default false, "is_test" boolean not null default false, "is_advertise_only" boolean not null default false, "hides_players" boolean not null default false, "hides_players_mode" text null, "hides_from_search" boolean not null default false, "score_card_hides_courts" boolean not null default false, "score_card_hides_referees" boolean not null default false, "score_card_hides_next_up1" boolean not null default false, "score_card_hides_next_up2" boolean not null default false, "score_card_desk_minutes_to_next_up" double precision null, "title_sponsor_logo" text null, "title_sponsor_tagline" text null, "title_sponsor_title" text null, "title_sponsor_url" text null, "sends_preliminary_to_partner" boolean not null default false, "uses_partner_sports" boolean not null default false, "club_sanction_level_id" text null, "tier_level_id" text null, "sanctions" jsonb not null default '[]', "approvals" jsonb not null default '[]', "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`alter table "tournament" add constraint "tournament_code_unique" unique ("code")`);
    this.addSql(`alter table "tournament" add constraint "tournament_referee_code_unique" unique ("referee_code")`);
    this.addSql(`create index tournament_club_id_idx on tournament (club_id, id)`);
    this.addSql(`create index tournament_start_idx on tournament (starts_at, id)`);
    this.addSql(`create index tournament_ends_at_idx on tournament (ends_at desc nulls last, id)`);
    this.addSql(`create index tournament_tier_level_id_idx on tournament (tier_level_id, id)`);
    this.addSql(`create index tournament_inserted_at_idx on tournament (inserted_at desc nulls last, id)`);
    this.addSql(
      `create index tournament_place_idx on tournament using gist (ll_to_earth(location_latitude, location_longitude))`,
    );
    this.addSql(`create index tournament_title_part_idx on tournament using gin (title gin_trgm_ops)`);
    this.addSql(`create index tournament_title_search_idx on tournament using gin (folded(title) gin_trgm_ops)`);
    this.addSql(`create index tournament_sanctions_idx on tournament using gin (sanctions jsonb_path_ops)`);
    this.addSql(
      `create table "tournament_event" ("id" text not null, "tournament_id" text null, "title" text null, "format_id" text null, "player_group_id" text null, "bracket_level_id" text null, "starts_at" timestamptz null, "fee" numeric null, "max_teams" int null, "is_cancelled" boolean not null default false, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index tournament_event_tournament_id_idx on tournament_event (tournament_id, id)`);
    this.addSql(`create index tournament_event_created_at_idx on tournament_event (created_at desc nulls last, id)`);
    this.addSql(
      `create table "tournament_referee" ("id" text not null, "tournament_id" text null, "user_id" text null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index tournament_referee_tournament_id_idx on tournament_referee (tournament_id, id)`);
    this.addSql(`create index tournament_referee_user_id_idx on tournament_referee (user_id, id)`);
    this.addSql(`create index tournament_referee_inserted_at_idx on tournament_referee (inserted_at desc nulls last, id)`);
    this.addSql(
      `alter table "tournament_referee" add constraint "tournament_referee_key_unique" unique ("tournament_id", "user_id")`,
    );
  }
}
