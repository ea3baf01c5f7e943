import { Migration } from '@mikro-orm/migrations';
import { contactTexts, countRows, located, location, logChanges, reported, searchTexts, tracked } from './shared.js';

const hidesPlayers = `(old.hides_players or old.player_list_visibility = '1')`;

/** Creates the tables of tournaments, events, teams, registrations and standings. */
export class Baseline0005Tournaments extends Migration {
  override up(): void {
    this.createTournaments();
    this.computeDays();
    this.createEvents();
    this.createTeams();
    this.createRegistrations();
    this.createStandings();
    this.createReferees();
    this.recordDeletedTournaments();
    this.addListMerge();
  }

  private createTournaments(): void {
    this.addSql(`
      create table tournament (
        id text primary key,
        -- Public code in capital letters.
        code text not null default upper(substr(md5(random()::text), 1, 8)) constraint tournament_code_unique unique,
        -- Code for referees to open the tournament in the scoring app, in capital letters.
        referee_code text constraint tournament_referee_code_unique unique,
        club_id text,
        platform text, -- name of the platform, as sent by the platform
        title text,
        details_url text,
        format text, -- SE, DE, RR or PP: single or double elimination, round robin, pool play
        logo_url text,
        scroller_logo_url text,
        tickets_url text,
        ${location},
        ${contactTexts},
        contact_partner_change text, contact_volunteer text, contact_referee text, contact_vendor text, contact_sponsor text,
        contact_public_name text, contact_public_email text, contact_public_phone text,
        -- Triggers compute first_day_starts_at, last_day_ends_at and effective_ends_at.
        starts_at timestamptz,
        ends_at timestamptz, -- midnight in the time zone stands for the end of the day. Null stands for the end of the first day
        first_day_starts_at timestamptz,
        last_day_ends_at timestamptz,
        effective_ends_at timestamptz, -- ends_at, or the end of the day that it stands for
        registration_opens_at timestamptz, registration_closes_at timestamptz,
        shown_from timestamptz, shown_until timestamptz, -- for display: the service does not enforce it
        archived_at timestamptz,
        completed_at timestamptz,
        ${reported},
        locked_at timestamptz, -- informational: the service does not enforce it
        advertised_from timestamptz, advertised_until timestamptz,
        time_zone text, -- IANA name. Null and unknown names mean UTC
        time_zone_abbreviation text, time_zone_number_raw double precision, -- as sent by the platform
        registration_fee numeric, -- in the currency of the row
        currency text, -- ISO 4217
        charges_per_event boolean not null default false,
        has_prize_money boolean not null default false,
        registration_count double precision, -- as last sent by the platform
        is_registration_closed boolean not null default false, -- applies regardless of the dates
        has_online_registration boolean not null default false,
        is_canceled boolean not null default false,
        is_featured boolean not null default false,
        is_featured_plus boolean not null default false, -- featured with a larger card
        is_test boolean not null default false, -- excluded from search
        is_advertise_only boolean not null default false, -- registration takes place elsewhere
        -- Teams, registrations, standings and points are visible only to the players, platforms, admins and referees.
        hides_players boolean not null default false,
        player_list_visibility text, -- 0 visible, 1 hidden. Hidden has the same effect as hides_players
        hides_from_search boolean not null default false, -- excluded from search, but not from lists
        score_card_hides_courts boolean not null default false, score_card_hides_referees boolean not null default false,
        score_card_hides_next_match boolean not null default false, score_card_hides_match_after_next boolean not null default false,
        score_card_minutes_to_next_match double precision,
        title_sponsor_logo_url text, title_sponsor_tagline text, title_sponsor_title text, title_sponsor_url text,
        sends_preliminary_to_partner boolean not null default false,
        uses_partner_sports boolean not null default false,
        club_sanction_level_id text, -- ID on the platform
        tier_level_id text,
        sanctions jsonb not null default '[]', -- one object per governing body
        approvals jsonb not null default '[]', -- one object per governing body, in the order in which they were sent
        ${tracked},
        version int not null default 1 -- incremented by each change, for optimistic locking
      );
      create index tournament_club_id_idx on tournament (club_id, id);
      create index tournament_ends_at_idx on tournament (ends_at desc nulls last, id);
      create index tournament_tier_level_id_idx on tournament (tier_level_id, id);
      create index tournament_created_at_idx on tournament (created_at desc nulls last, id);
      create index tournament_sanctions_idx on tournament using gin (sanctions jsonb_path_ops);
      create index tournament_approvals_idx on tournament using gin (approvals jsonb_path_ops);
      create index tournament_effective_ends_at_idx on tournament (effective_ends_at);
      create index tournament_featured_idx on tournament (starts_at, id) where is_featured;
      create index tournament_prize_money_idx on tournament (starts_at, id) where has_prize_money;
      -- The index includes the columns that filters and orders read, to make index-only scans possible.
      create index tournament_start_idx on tournament (starts_at, id) include (first_day_starts_at, last_day_ends_at);
      create index tournament_days_idx on tournament
        using gist ((case when first_day_starts_at is not null then tstzrange(first_day_starts_at, last_day_ends_at) end))
        include (first_day_starts_at, last_day_ends_at, starts_at, effective_ends_at, is_canceled, id);
      create index tournament_registration_idx on tournament
        using gist ((case when registration_opens_at <= registration_closes_at or (registration_opens_at is null) <> (registration_closes_at is null)
          then tstzrange(registration_opens_at, registration_closes_at) end))
        include (registration_opens_at, registration_closes_at, starts_at, is_registration_closed, is_canceled, id);
      create index tournament_location_idx on tournament using gist (ll_to_earth(location_latitude, location_longitude))
        include (location_latitude, location_longitude, first_day_starts_at, last_day_ends_at, starts_at, id);
      ${countRows('tournament')};
      ${searchTexts('tournament', 'Tournament', located)};
      ${logChanges('tournament', 'Tournament')};
    `);
  }

  /**
   * Computes the days of a tournament in its time zone, as instants that an index can contain. A trigger computes them when the dates or the time
   * zone change. If the rules of a time zone change, the next write of a row updates its values.
   */
  private computeDays(): void {
    // If clocks are set back across midnight, a day has two midnights. PostgreSQL uses the later one.
    this.addSql(`
      create function start_of_day(day date, zone text) returns timestamptz language sql stable strict as $$
        select greatest(timestamptz '0001-01-01Z', least(timestamptz '9999-12-31 23:59:59.999999Z',
          case when ((midnight - interval '1 hour') at time zone zone)::date = day then midnight - interval '1 hour' else midnight end))
        from (select day::timestamp at time zone zone as midnight)
      $$
    `);
    // An end before the start is ignored. An end at midnight stands for the end of the day.
    this.addSql(`
      create function compute_tournament_days() returns trigger language plpgsql as $$
      declare
        zone text := public.time_zone_or_utc(new.time_zone);
        first_day date := (new.starts_at at time zone zone)::date;
        end_day date := (new.ends_at at time zone zone)::date;
        last_day date := case when first_day is not null then greatest(first_day, end_day) end;
      begin
        new.first_day_starts_at := public.start_of_day(first_day, zone);
        new.last_day_ends_at := public.start_of_day(last_day + 1, zone);
        new.effective_ends_at := case
          when new.ends_at is null or new.ends_at < new.starts_at then new.last_day_ends_at
          when new.ends_at = public.start_of_day(end_day, zone) or (new.ends_at at time zone zone)::time = '00:00'
            then public.start_of_day(end_day + 1, zone)
          else new.ends_at end;
        return new;
      end
      $$;
      create trigger compute_tournament_days before insert or update of starts_at, ends_at, time_zone on tournament
        for each row execute function compute_tournament_days();
    `);
  }

  private createEvents(): void {
    this.addSql(`
      create table tournament_event (
        id text primary key,
        tournament_id text,
        title text, -- such as Mixed Doubles 4.0
        format_id text,
        player_group_id text,
        bracket_level_id text,
        starts_at timestamptz,
        fee numeric, -- for each player, in the currency of the tournament
        max_teams int, -- null or 0: no limit
        is_canceled boolean not null default false,
        ${tracked},
        version int not null default 1 -- incremented by each change, for optimistic locking
      );
      create index tournament_event_tournament_id_idx on tournament_event (tournament_id, id);
      create index tournament_event_created_at_idx on tournament_event (created_at desc nulls last, id);
      ${logChanges('tournament_event', 'TournamentEvent', 'tournament_id')};
    `);
  }

  private createTeams(): void {
    this.addSql(`
      create table team (
        id text primary key,
        player_one_id text,
        player_two_id text, -- null in singles
        ranking double precision, -- rank among the teams of the event. 1 is the best
        rating double precision, -- such as 4.25
        seed double precision, -- 1 is the highest
        player_one_rank double precision, player_one_rating double precision,
        player_two_rank double precision, player_two_rating double precision,
        event_id text,
        tournament_id text,
        rating_games_played text, -- a number as text, as sent by the platform
        registration_one_id text,
        registration_two_id text,
        platform_id text, -- platform that last wrote the team
        ${tracked}
      );
      create index team_player_one_id_idx on team (player_one_id, id);
      create index team_player_two_id_idx on team (player_two_id, id);
      create index team_event_id_idx on team (event_id, id);
      create index team_tournament_id_idx on team (tournament_id, id);
      create index team_created_at_idx on team (created_at desc nulls last, id);
      ${countRows('team')};
      ${logChanges('team', 'Team', 'tournament_id', 'event_id')};
    `);
    this.addSql(`
      create table team_invitation (
        id text primary key,
        team_id text, -- null after the invitation was declined or withdrawn
        event_id text,
        inviter_id text, -- user who registered the team
        user_id text, -- null until an invitation to an email address is answered
        email text, -- in lower case. Null if a user is invited by ID
        status text not null, -- PENDING, CONFIRMED, DECLINED or WITHDRAWN
        answered_at timestamptz,
        ${tracked}
      );
      create index team_invitation_team_id_idx on team_invitation (team_id, id);
      create index team_invitation_inviter_id_idx on team_invitation (inviter_id, id);
      create index team_invitation_user_id_idx on team_invitation (user_id, id);
      create index team_invitation_email_idx on team_invitation (email, id);
      create index team_invitation_created_at_idx on team_invitation (created_at desc nulls last, id);
      ${logChanges('team_invitation', 'TeamInvitation', 'inviter_id', 'user_id')};
    `);
  }

  private createRegistrations(): void {
    // A registration of a player for a tournament. It has one entry per event.
    this.addSql(`
      create table registration (
        id text primary key,
        tournament_id text,
        user_id text,
        ${reported},
        update_location text, -- page from which it was last changed, as sent by the platform
        promo_code text,
        has_partner boolean not null default false,
        ${tracked}
      );
      create index registration_tournament_id_idx on registration (tournament_id, id);
      create index registration_user_id_idx on registration (user_id, id);
      create index registration_created_at_idx on registration (created_at desc nulls last, id);
      ${logChanges('registration', 'Registration', 'tournament_id')};
    `);
    this.addSql(`
      create table event_registration (
        id text primary key,
        registration_id text,
        event_id text,
        team_id text,
        user_id text,
        ${reported},
        status double precision, -- 1 registered, 2 waitlisted, 3 withdrawn, 4 invited
        update_location text, -- page from which it was last changed, as sent by the platform
        player_group_id double precision, -- an ID, sent as a number
        format_id double precision, -- an ID, sent as a number
        original_event_id text, -- event before the entry was moved or events were merged
        partner_registration_id text, -- entry of the partner
        partner_id text,
        ${tracked}
      );
      create index event_registration_registration_id_idx on event_registration (registration_id, id);
      create index event_registration_event_id_idx on event_registration (event_id, id);
      create index event_registration_team_id_idx on event_registration (team_id, id);
      create index event_registration_user_id_idx on event_registration (user_id, id);
      create index event_registration_created_at_idx on event_registration (created_at desc nulls last, id);
      ${logChanges('event_registration', 'EventRegistration', 'event_id')};
    `);
  }

  private createStandings(): void {
    this.addSql(`
      create table final_standing (
        id text primary key,
        event_id text,
        team_id text,
        final_ranking double precision, -- 1 is the winner
        ${reported},
        ${tracked},
        constraint final_standing_key_unique unique (event_id, team_id)
      );
      create index final_standing_event_id_idx on final_standing (event_id, id);
      create index final_standing_team_id_idx on final_standing (team_id, id);
      create index final_standing_created_at_idx on final_standing (created_at desc nulls last, id);
      ${logChanges('final_standing', 'FinalStanding', 'event_id', 'team_id')};
    `);
  }

  private createReferees(): void {
    this.addSql(`
      create table tournament_referee (
        id text primary key,
        tournament_id text,
        user_id text,
        ${tracked},
        constraint tournament_referee_key_unique unique (tournament_id, user_id)
      );
      create index tournament_referee_tournament_id_idx on tournament_referee (tournament_id, id);
      create index tournament_referee_user_id_idx on tournament_referee (user_id, id);
      create index tournament_referee_created_at_idx on tournament_referee (created_at desc nulls last, id);
      ${logChanges('tournament_referee', 'TournamentReferee', 'tournament_id')};
    `);
  }

  /**
   * Stores the IDs of deleted tournaments that hid their players, and the tournaments of deleted events. Their teams, entries, standings and
   * points still exist and stay hidden. Records of unknown tournaments are not hidden, because platforms can send teams before their tournament.
   */
  private recordDeletedTournaments(): void {
    this.addSql(`
      create table deleted_hidden_tournament (id text primary key);
      create function insert_deleted_hidden_tournament() returns trigger language plpgsql as $$
      begin
        insert into public.deleted_hidden_tournament (id) values (old.id) on conflict do nothing;
        return null;
      end $$;
      create trigger insert_deleted_hidden_tournament after delete on tournament for each row
        when ${hidesPlayers} execute function insert_deleted_hidden_tournament();
    `);
    this.addSql(`
      create table deleted_event (
        id text primary key,
        tournament_id text not null
      );
      create function insert_deleted_event() returns trigger language plpgsql as $$
      begin
        insert into public.deleted_event (id, tournament_id) values (old.id, old.tournament_id)
          on conflict (id) do update set tournament_id = excluded.tournament_id;
        return null;
      end $$;
      create trigger insert_deleted_event after delete on tournament_event for each row
        when (old.tournament_id <> '') execute function insert_deleted_event();
    `);
    // Removes the IDs of deleted records when they are created again.
    for (const [table, deleted] of [
      ['tournament', 'deleted_hidden_tournament'],
      ['tournament_event', 'deleted_event'],
    ])
      this.addSql(`
      create function remove_from_${deleted}() returns trigger language plpgsql as $$
      begin
        delete from public.${deleted} d using added a where d.id = a.id;
        return null;
      end $$;
      create trigger remove_from_${deleted} after insert on ${table} referencing new table as added
        for each statement execute function remove_from_${deleted}();
    `);
    // Without statistics, PostgreSQL would assume a thousand rows and scan all teams.
    this.addSql('analyze deleted_hidden_tournament, deleted_event');
  }

  /**
   * Merges two lists of objects by key. Properties of an input object replace the properties of the stored object with the same key. Properties
   * that are null or false are removed, as are objects without properties other than the key. An empty input replaces the stored list.
   */
  private addListMerge(): void {
    this.addSql(`
      create function merge_by_key(stored jsonb, input jsonb, key text) returns jsonb language sql immutable parallel safe as $$
        with properties as (
          select distinct on (item ->> key, property) item ->> key as id, property, value
          from jsonb_array_elements(stored || input) with ordinality entry(item, ordinal), jsonb_each(item) pair(property, value)
          order by item ->> key, property, ordinal desc
        ), entries as (
          select id, jsonb_object_agg(property, value) as entry from properties where value not in ('null', 'false') group by id having count(*) > 1
        )
        select case when input = '[]' then input else (select coalesce(jsonb_agg(entry order by id), '[]') from entries) end
      $$
    `);
  }
}
