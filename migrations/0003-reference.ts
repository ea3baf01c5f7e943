import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges } from './shared.js';

/** Record types of reference data, by table. The service writes the rows at startup, and each process caches them. */
const records = {
  amenity_type: 'AmenityType',
  bracket_level: 'BracketLevel',
  contact_reason: 'ContactReason',
  country: 'Country',
  currency: 'Currency',
  equipment_type: 'EquipmentType',
  format: 'Format',
  governing_body: 'GoverningBody',
  module_type: 'ModuleType',
  player_group: 'PlayerGroup',
  pro_level: 'ProLevel',
  push_notification_type: 'PushNotificationType',
  ranking_division: 'RankingDivision',
  rating_level: 'RatingLevel',
  referee_term: 'RefereeTerm',
  role: 'Role',
  state: 'State',
  system_text_number: 'SystemTextNumber',
  tier_level: 'TierLevel',
  time_zone: 'TimeZone',
  watch_channel: 'WatchChannel',
  watch_event_type: 'WatchEventType',
};

/** Columns for the position in the published list, and for the time of the insert. */
const listed = `position int,
        inserted_at timestamptz not null default clock_timestamp()`;

/**
 * Creates the tables of reference data. IDs are the same as in the legacy interface: numbers as text, unless stated otherwise.
 *
 * Tables of all modules have no foreign keys, because platforms send records in any order (decision 8). Indexes on references end with the ID, and
 * indexes on times are descending, because lists are read in this order.
 */
export class Baseline0003Reference extends Migration {
  override up(): void {
    this.createPlaces();
    this.createPlay();
    this.createTournamentTerms();
    this.createServiceTerms();
    for (const [table, record] of Object.entries(records))
      this.addSql(`
      create index ${table}_inserted_at_idx on ${table} (inserted_at desc nulls last, id);
      create trigger bump_cache_version after insert or update or delete or truncate on ${table}
        for each statement execute function bump_cache_version();
      ${logChanges(table, record)};
    `);
    this.addSql(auditWrites('role', 'Role', 'title', 'inheritedIds'));
  }

  /** Creates the tables of countries, states, time zones and currencies. */
  private createPlaces(): void {
    this.addSql(`
      create table country (
        id text primary key, -- ISO 3166-1 numeric code without leading zeros, such as 840
        abbreviation text not null, -- ISO 3166-1 alpha-3 code, such as USA
        alpha2 text not null, -- ISO 3166-1 alpha-2 code, such as US
        title text not null,
        calling_code text not null, -- digits without a plus sign
        state_title text not null, -- name of the states, such as Province
        zip_code_title text not null, -- name of the postal codes, such as ZIP Code
        system_text_number_id text, -- sender of text messages to the country
        -- UN M49: 2 Africa, 3 North America, 5 South America, 9 Oceania, 10 Antarctica, 142 Asia, 150 Europe.
        continent_number int not null,
        inserted_at timestamptz not null default clock_timestamp()
      );
      create index country_system_text_number_id_idx on country (system_text_number_id, id);
    `);
    this.addSql(`
      create table state (
        id text primary key,
        code text not null constraint state_code_unique unique, -- ISO 3166-2, such as US-TX
        abbreviation text not null, -- the part of the code after the country
        title text not null,
        country_id text,
        inserted_at timestamptz not null default clock_timestamp()
      );
      create index state_country_id_idx on state (country_id, id);
    `);
    this.addSql(`
      create table time_zone (
        id text primary key,
        utc_offset int not null, -- seconds, negative west of Greenwich
        title text not null, -- name for the whole year, such as Central Time
        abbreviation text not null, -- in standard time, such as CST
        full_name text not null, -- in standard time, such as Central Standard Time
        has_daylight_saving boolean not null default false,
        iana_name text not null,
        daylight_starts_at timestamptz, -- this year. Null without daylight saving time
        standard_starts_at timestamptz, -- this year. Null without daylight saving time
        daylight_abbreviation text not null, -- equal to abbreviation without daylight saving time
        daylight_utc_offset int not null, -- seconds. Equal to utc_offset without daylight saving time
        inserted_at timestamptz not null default clock_timestamp()
      );
      create index time_zone_name_idx on time_zone (lower(iana_name));
    `);
    // Returns a time zone name for "at time zone", or UTC for names that are not in the table. PostgreSQL throws an error for unknown names, but
    // accepts abbreviations and POSIX rules ('Foo5'). It treats CET, MET, EET and WET as abbreviations without daylight saving time.
    this.addSql(`
      create function time_zone_or_utc(name text) returns text language plpgsql stable as $$
      begin
        if not exists (select from public.time_zone z where lower(z.iana_name) = lower(name)) then return 'UTC'; end if;
        name := case upper(name) when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens'
          when 'WET' then 'Europe/Lisbon' else name end;
        perform now() at time zone name;
        return name;
      exception when invalid_parameter_value then return 'UTC';
      end
      $$
    `);
    this.addSql(`
      create table currency (
        id text primary key, -- ISO 4217 numeric code without leading zeros, such as 840
        title text not null,
        abbreviation text not null, -- ISO 4217 code, such as CAD
        inserted_at timestamptz not null default clock_timestamp()
      );
    `);
  }

  /** Creates the tables of skill levels, player groups and formats. */
  private createPlay(): void {
    this.addSql(`
      create table bracket_level (
        id text primary key,
        title text not null, -- such as Senior Pro or 4.5
        display_order int not null, -- in lists for organizers, from 1
        is_enabled boolean not null default false, -- can be selected
        public_display_order int not null, -- in lists for players, from 1
        ${listed}
      );
    `);
    this.addSql(`
      create table format (
        id text primary key,
        title text not null, -- such as Mixed Doubles
        display_order double precision not null, -- may have fractions
        is_enabled boolean not null default false, -- can be selected
        needs_partner boolean not null default false,
        abbreviation text not null, -- such as MD
        ${listed}
      );
    `);
    this.addSql(`
      create table player_group (
        id text primary key,
        title text not null, -- such as Senior Women
        description text not null,
        display_order int not null,
        ${listed}
      );
    `);
    this.addSql(`
      create table pro_level (
        id text primary key,
        title text not null, -- such as Collegiate
        display_order int not null,
        is_enabled boolean not null default false,
        is_pro boolean not null default false,
        ${listed}
      );
    `);
    this.addSql(`
      create table rating_level (
        id text primary key,
        title text not null, -- such as 3.5
        lowest double precision not null, -- inclusive
        highest double precision not null, -- inclusive
        self_start_point double precision not null, -- initial rating of players who choose this level
        hierarchy int not null, -- rank of the level. 1 is the lowest
        is_enabled boolean not null default false,
        ${listed}
      );
    `);
    this.addSql(`
      create table ranking_division (
        id text primary key, -- 1 women's singles, 2 men's singles, 3 mixed doubles, 4 women's doubles, 5 men's doubles
        title text not null,
        display_order int not null,
        is_enabled boolean not null default false,
        ${listed}
      );
    `);
  }

  /** Creates the tables of terms for tournaments and referees. */
  private createTournamentTerms(): void {
    this.addSql(`
      create table amenity_type (
        id text primary key,
        title text not null, -- such as Car Rental
        is_enabled boolean not null default false,
        display_order int not null,
        ${listed}
      );
    `);
    this.addSql(`
      create table equipment_type (
        id text primary key,
        title text not null, -- such as Paddle
        is_enabled boolean not null default false,
        ${listed}
      );
    `);
    this.addSql(`
      create table governing_body (
        id text primary key,
        code text not null, -- APP, GPA, MLP, PAA, PCO, PPA, SSIPA, USAP or WPF
        title text not null,
        short_name text not null,
        is_enabled boolean not null default false, -- currently sanctions tournaments
        is_search_filter boolean not null default false,
        legacy_search_parameter text not null, -- query parameter of the /v1 tournament search, such as sanction_ppa
        display_order int not null,
        url text,
        club_id text,
        logo_url text,
        ${listed}
      );
    `);
    this.addSql(`
      create table referee_term (
        id text primary key, -- kind and code, such as TIMEOUT_TYPE-1
        kind text not null, -- vocabulary, such as TIMEOUT_TYPE
        code text not null, -- number as text, unique within the kind
        title text not null,
        length_in_minutes int, -- of a timeout. Null for other kinds
        ${listed}
      );
      create index referee_term_kind_idx on referee_term (kind, id);
    `);
    // Tiers of tournaments, which determine their weight in the rankings.
    this.addSql(`
      create table tier_level (
        id text primary key, -- UUID
        title text not null, -- such as Masters
        ${listed}
      );
    `);
    this.addSql(`
      create table watch_channel (
        id text primary key,
        title text not null, -- such as YouTube
        display_order int not null,
        is_enabled boolean not null default false,
        url text not null,
        ${listed}
      );
    `);
    this.addSql(`
      create table watch_event_type (
        id text primary key,
        title text not null, -- such as Live Stream
        display_order int not null,
        is_enabled boolean not null default false,
        ${listed}
      );
    `);
  }

  /** Creates the tables of terms for the service itself. */
  private createServiceTerms(): void {
    this.addSql(`
      create table contact_reason (
        id text primary key,
        title text not null,
        is_for_tournaments boolean not null default false,
        is_for_platforms boolean not null default false,
        ${listed}
      );
    `);
    this.addSql(`
      create table module_type (
        id text primary key,
        title text not null, -- Clubs, Tournaments, Leagues or Clinics
        ${listed}
      );
    `);
    this.addSql(`
      create table push_notification_type (
        id text primary key,
        title text not null,
        description text not null,
        is_enabled boolean not null default false,
        ${listed}
      );
    `);
    this.addSql(`
      create table role (
        id text primary key,
        title text not null, -- such as NEWS_CREATOR
        inherited_ids text[] not null default '{}', -- directly and indirectly inherited roles
        ${listed}
      );
    `);
    // Phone numbers that send text messages.
    this.addSql(`
      create table system_text_number (
        id text primary key,
        phone_number text not null, -- E.164, such as +12025550142
        is_enabled boolean not null default false,
        provider text not null,
        ${listed}
      );
    `);
  }
}
