import { Migration } from '@mikro-orm/migrations';
import { location, logChanges, tracked } from './shared.js';

/** Creates the tables of games that users arrange, and of their groups. */
export class Baseline0014Scheduler extends Migration {
  override up(): void {
    this.createGames();
    this.createGroups();
  }

  private createGames(): void {
    this.addSql(`
      create table game (
        id text primary key,
        owner_id text,
        court_id text, -- ID on the platform
        ${location},
        title text,
        description text,
        -- Local times are stored as if they were UTC. The service derives the ones that platforms do not send.
        day timestamptz, -- day of the game in its time zone
        local_day_raw timestamptz, -- day in local time
        starts_at timestamptz, ends_at timestamptz,
        local_starts_at timestamptz, local_ends_at timestamptz,
        time_zone text, -- IANA name
        time_zone_abbreviation text, -- as sent by the platform
        utc_offset double precision, -- hours, minutes or seconds, as sent by the platform. Derived in seconds
        -- A repeated game is the first of a series. The service creates the occurrences of the next 60 days.
        is_repeated boolean not null default false,
        repeats text, -- DAILY, WEEKLY or MONTHLY, at the same local time
        parent_id text, -- first game of the series
        occurs_on text, -- local date of an occurrence
        skipped_days text[] not null default '{}', -- local dates of deleted occurrences
        group_id text,
        types_any boolean not null default false, types_singles boolean not null default false, types_doubles boolean not null default false,
        types_skinny boolean not null default false, types_drills boolean not null default false,
        skill_from double precision, skill_to double precision, -- ratings such as 3.5. Null or 0: no limit
        skill_is_ignored boolean not null default false,
        age_from double precision, age_to double precision, -- years
        age_is_ignored double precision, -- 0 or 1, as sent by the platform
        genders_men boolean not null default false, genders_women boolean not null default false, genders_any boolean not null default false,
        genders_is_ignored boolean not null default false,
        is_partners_only boolean not null default false, -- informational: the service does not enforce it
        min_players double precision, -- informational: the service does not enforce it
        max_players double precision, -- null means no limit
        total_players double precision, -- as sent by the platform
        has_waiting_list boolean not null default false,
        is_waiting_list_manual boolean not null default false, -- players do not move up automatically
        is_invite_only boolean not null default false,
        shows_players_to_invited boolean not null default false, -- shows the players to everyone who can see the game
        allows_player_notes boolean not null default false, allows_other_notes boolean not null default false,
        is_waiver_accepted boolean not null default false,
        archived_at timestamptz, -- archiving is permanent
        -- Players are stored in the order in which they joined.
        player_ids text[] not null default '{}', waiting_ids text[] not null default '{}',
        -- Invitations by user ID and by email address.
        invited_ids text[] not null default '{}',
        invited_emails text[] not null default '{}', -- as sent by the platform
        invited_addresses text[] not null default '{}', -- distinct, in lower case
        invited_by_email_ids text[] not null default '{}', -- users with these addresses
        declined_ids text[] not null default '{}',
        declined_emails text[] not null default '{}', -- in lower case
        invitation_key text not null default gen_random_uuid()::text, -- signs the links in invitation emails
        ${tracked},
        version int not null default 1, -- incremented by each change, for optimistic locking
        constraint game_key_unique unique (parent_id, occurs_on)
      );
      create index game_owner_id_idx on game (owner_id, id);
      create index game_court_id_idx on game (court_id, id);
      create index game_parent_id_idx on game (parent_id, id);
      create index game_group_id_idx on game (group_id, id);
      create index game_player_ids_idx on game using gin (player_ids);
      create index game_waiting_ids_idx on game using gin (waiting_ids);
      create index game_invited_ids_idx on game using gin (invited_ids);
      create index game_invited_by_email_ids_idx on game using gin (invited_by_email_ids);
      create index game_created_at_idx on game (created_at desc nulls last, id);
      create index game_start_idx on game (coalesce(starts_at, day));
      create index game_invited_addresses_idx on game using gin (invited_addresses);
      create index game_repeating_idx on game (id) where is_repeated and (repeats is not null) and (occurs_on is null) and (archived_at is null);
      create index game_location_idx on game using gist (ll_to_earth(location_latitude, location_longitude));
      create index game_title_search_idx on game using gin (unaccent_lower(nfc(title)) gin_trgm_ops);
      create index game_declined_ids_idx on game using gin (declined_ids);
      -- These columns determine who can see a private game. A resumed subscription uses them to check whether a change was visible to the subscriber.
      ${logChanges('game', 'Game', 'is_invite_only', 'owner_id', 'player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids')};
    `);
  }

  private createGroups(): void {
    this.addSql(`
      create table game_group (
        id text primary key,
        title text,
        min_skill double precision, max_skill double precision, -- ratings such as 3.5
        image_url text,
        description text,
        is_private boolean not null default false, -- listed only for members
        allows_player_invites boolean not null default false,
        shows_admins boolean not null default false, -- shows the owner of the group
        owner_id text,
        ${tracked}
      );
      create index game_group_owner_id_idx on game_group (owner_id, id);
      create index game_group_created_at_idx on game_group (created_at desc nulls last, id);
      ${logChanges('game_group', 'GameGroup')};
    `);
  }
}
