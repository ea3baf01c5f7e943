import { Migration } from '@mikro-orm/migrations';
import { contactTexts, located, location, logChanges, searchTexts, tracked } from './shared.js';

/** Creates the tables of clubs, leagues and league listings. */
export class Baseline0008Leagues extends Migration {
  override up(): void {
    this.createClubs();
    this.createLeagues();
    this.createListings();
  }

  private createClubs(): void {
    this.addSql(`
      create table club (
        id text primary key,
        slug text not null default gen_random_uuid()::text constraint club_slug_unique unique, -- derived from the title
        title text,
        ${location},
        first_contact_id text, second_contact_id text,
        ${contactTexts},
        ${tracked}
      );
      create index club_created_at_idx on club (created_at desc nulls last, id);
      create index club_title_trigram_idx on club using gin (nfc(title) gin_trgm_ops);
      create index club_title_equality_idx on club using hash (nfc(title));
      create index club_location_idx on club using gist (ll_to_earth(location_latitude, location_longitude));
      create index club_title_search_idx on club using gin (unaccent_lower(nfc(title)) gin_trgm_ops);
      ${searchTexts('club', 'Club', located)};
      ${logChanges('club', 'Club')};
    `);
  }

  private createLeagues(): void {
    // Titles of related records are stored as the platform sent them. IDs without a table are defined by the platform.
    this.addSql(`
      create table league (
        id text primary key,
        -- Derived from the title.
        slug text not null default gen_random_uuid()::text constraint league_slug_unique unique,
        title text,
        logo_url text,
        club_id text, club_title text, club_logo_url text,
        format_id text, format_title text,
        player_group_id text, player_group_title text,
        type_id text, type_title text,
        player_type_id text, player_type_title text,
        ${location},
        location_id text,
        utc_offset text, -- hours, minutes or seconds, as sent by the platform. The magnitude indicates the unit
        has_daylight_saving boolean not null default false,
        session_id text,
        session_number text, -- a number as text, from 1
        is_live_session boolean not null default false,
        is_flex_play boolean not null default false, -- players arrange the times of their matches
        shown_from timestamptz, -- for display: the service does not enforce it
        registration_opens_at timestamptz, registration_closes_at timestamptz,
        signup text, -- ONLINE or ONSITE
        has_online_registration boolean not null default false,
        allows_non_members boolean not null default false, -- players who are not members of the club can join
        currency text, -- ISO 4217
        member_fee numeric, non_member_fee numeric, -- in the currency of the row
        registration_count text, -- a number as text, as last sent by the platform
        is_locked boolean not null default false, -- informational: the service does not enforce it
        is_read_only boolean not null default false, -- informational: the service does not enforce it
        is_test boolean not null default false, -- excluded from search
        disabled_at timestamptz,
        disabled_by text, -- name, as sent by the platform
        disabled_by_id text,
        ${tracked}
      );
      create index league_club_id_idx on league (club_id, id);
      create index league_created_at_idx on league (created_at desc nulls last, id);
      create index league_title_trigram_idx on league using gin (nfc(title) gin_trgm_ops);
      create index league_title_equality_idx on league using hash (nfc(title));
      create index league_location_idx on league using gist (ll_to_earth(location_latitude, location_longitude));
      create index league_title_search_idx on league using gin (unaccent_lower(nfc(title)) gin_trgm_ops);
      ${searchTexts('league', 'League', located)};
      ${logChanges('league', 'League')};
    `);
  }

  /** Creates the table of league listings. A listing belongs to the league with the same ID. */
  private createListings(): void {
    this.addSql(`
      create table league_listing (
        id text primary key,
        -- Derived from the title.
        slug text not null default gen_random_uuid()::text constraint league_listing_slug_unique unique,
        title text,
        first_contact_id text, second_contact_id text,
        ${contactTexts},
        ${tracked}
      );
      create index league_listing_created_at_idx on league_listing (created_at desc nulls last, id);
      create index league_listing_title_equality_idx on league_listing using hash (nfc(title));
      ${logChanges('league_listing', 'LeagueListing')};
    `);
  }
}
