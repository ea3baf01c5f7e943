import { Migration } from '@mikro-orm/migrations';

export class Migration0014Scheduler extends Migration {
  override up(): void {
    this.addSql(
      `create table "game" ("id" text not null, "owner_id" text null, "court_id" text null, "title" text null, "description" text null, "day" timestamptz null, "starts_at" timestamptz null, "ends_at" timestamptz null, "local_day" timestamptz null, "local_starts_at" timestamptz null, "local_ends_at" timestamptz null, "time_zone" text null, "time_zone_abbreviation" text null, "time_zone_offset" double precision null, "is_repeated" boolean not null default false, "repeats" text null, "parent_id" text null, "group_id" text null, "types_any" boolean not null default false, "types_singles" boolean not null default false, "types_doubles" boolean not null default false, "types_skinny" boolean not null default false, "types_drills" boolean not null default false, "skill_from" double precision null, "skill_to" double precision null, "skill_is_ignored" boolean not null default false, "age_from" double precision null, "age_to" double precision null, "age_ignored" double precision null, "genders_men" boolean not null default false, "genders_women" boolean not null default false, "genders_any" boolean not null default false, "genders_is_ignored" boolean not null default false, "is_partners_only" boolean not null default false, "min_players" double precision null, "max_players" double precision null, "total_players" double precision null, "has_waiting_list" boolean not null default false, "is_waiting_list_manual" boolean not null default false, "is_invite_only" boolean not null default false, "shows_players_to_invited" boolean not null default false, "allows_player_notes" boolean not null default false, "allows_other_notes" boolean not null default false, "is_waiver_accepted" boolean not null default false, "archived_at" timestamptz null, "player_ids" text[] not null default '{}', "waiting_ids" text[] not null default '{}', "invited_ids" text[] not null default '{}', "invited_emails" text[] not null default '{}', "invited_by_email_ids" text[] not null default '{}', "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index game_owner_id_idx on game (owner_id, id)`);
    this.addSql(`create index game_court_id_idx on game (court_id, id)`);
    this.addSql(`create index game_parent_id_idx on game (parent_id, id)`);
    this.addSql(`create index game_group_id_idx on game (group_id, id)`);
    this.addSql(`create index game_player_ids_idx on game using gin (player_ids)`);
    this.addSql(`create index game_waiting_ids_idx on game using gin (waiting_ids)`);
    this.addSql(`create index game_invited_ids_idx on game using gin (invited_ids)`);
    this.addSql(`create index game_invited_by_email_ids_idx on game using gin (invited_by_email_ids)`);
    this.addSql(`create index game_created_at_idx on game (created_at desc nulls last, id)`);
    this.addSql(`create index game_start_idx on game (coalesce(starts_at, day))`);
    this.addSql(
      `create table "game_group" ("id" text not null, "name" text null, "min_skill" double precision null, "max_skill" double precision null, "picture" text null, "description" text null, "is_private" boolean not null default false, "allows_player_invites" boolean not null default false, "shows_admins" boolean not null default false, "owner_id" text null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index game_group_owner_id_idx on game_group (owner_id, id)`);
    this.addSql(`create index game_group_created_at_idx on game_group (created_at desc nulls last, id)`);
  }
}
