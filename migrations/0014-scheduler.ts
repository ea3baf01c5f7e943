import { Migration } from '@mikro-orm/migrations';
import { location, logChanges, tracked } from './shared.js';

/** Games that users play together, and their groups. */
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
        -- Local times are stored as if they were UTC. They are derived unless they are sent.
        day timestamptz, -- a day in the time zone, not a start
        local_day_raw timestamptz, -- day in local time
        starts_at timestamptz, ends_at timestamptz,
        local_starts_at timestamptz, local_ends_at timestamptz,
        time_zone text, -- IANA name
        time_zone_abbreviation text, -- as sent
        utc_offset double precision, -- hours, minutes or seconds, as sent. Derived in seconds
        -- A repeated game is the first of a series. The service creates the repetitions of the next 60 days.
        is_repeated boolean not null default false,
        repeats text, -- DAILY, WEEKLY or MONTHLY, at the same local time
        parent_id text, -- first game of the series
        occurs_on text, -- local date of a repetition
        skipped_days text[] not null default '{}', -- local dates whose games were deleted
        group_id text,
        types_any boolean not null default false, types_singles boolean not null default false, types_doubles boolean not null default false,
        types_skinny boolean not null default false, types_drills boolean not null default false,
        skill_from double precision, skill_to double precision, -- ratings such as 3.5. Null or 0: no limit
        skill_is_ignored boolean not null default false,
        age_from double precision, age_to double precision, -- years
        age_is_ignored double precision, -- 0 or 1, as sent
        genders_men boolean not null default false, genders_women boolean not null default false, genders_any boolean not null default false,
        genders_is_ignored boolean not null default false,
        is_partners_only boolean not null default false, -- not enforced
        min_players double precision, -- not enforced
        max_players double precision, -- null means no limit
        total_players double precision, -- as sent
        has_waiting_list boolean not null default false,
        is_waiting_list_manual boolean not null default false, -- nobody moves up automatically
        is_invite_only boolean not null default false,
        shows_players_to_invited boolean not null default false, -- everybody who sees the game sees its players
        allows_player_notes boolean not null default false, allows_other_notes boolean not null default false,
        is_waiver_accepted boolean not null default false,
        archived_at timestamptz, -- permanent
        -- In the order in which they joined.
        player_ids text[] not null default '{}', waiting_ids text[] not null default '{}',
        -- Invitations by ID, and by e-mail address.
        invited_ids text[] not null default '{}',
        invited_emails text[] not null default '{}', -- as sent
        invited_addresses text[] not null default '{}', -- distinct, in lower case
        invited_by_email_ids text[] not null default '{}', -- users with these addresses
        declined_ids text[] not null default '{}',
        declined_emails text[] not null default '{}', -- in lower case
        invitation_key text not null default gen_random_uuid()::text, -- signs the values in links of invitation mails
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
      -- The users of a game decide who sees it by invitation, so a resumed subscription can tell whether a change was hidden from the subscriber.
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
        is_private boolean not null default false, -- listed only for its members
        allows_player_invites boolean not null default false,
        shows_admins boolean not null default false, -- shows its owner
        owner_id text,
        ${tracked}
      );
      create index game_group_owner_id_idx on game_group (owner_id, id);
      create index game_group_created_at_idx on game_group (created_at desc nulls last, id);
      ${logChanges('game_group', 'GameGroup')};
    `);
  }
}
