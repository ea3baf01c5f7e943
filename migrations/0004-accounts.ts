import { Migration } from '@mikro-orm/migrations';
import { auditWrites, logChanges, searchTexts, tracked } from './shared.js';

/** Creates the tables of platforms, users and credentials. Tokens, keys, codes and passwords are stored as hashes. */
export class Baseline0004Accounts extends Migration {
  override up(): void {
    this.createPlatforms();
    this.createUsers();
    this.createCredentials();
    this.createCalendarLinks();
  }

  private createPlatforms(): void {
    this.addSql(`
      create table platform (
        id text primary key,
        title text not null constraint platform_title_unique unique,
        domain text,
        is_enabled boolean not null default true,
        allowed_origins text[] not null default '{}', -- origins of pages that email links can open
        token_hint text, -- first four characters
        token_hash text constraint platform_token_hash_unique unique, -- SHA-256
        ${tracked}
      );
      create index platform_created_at_idx on platform (created_at desc nulls last, id);
      ${auditWrites('platform', 'Platform', 'isEnabled', 'allowedOrigins')};
      ${logChanges('platform', 'Platform')};
    `);
    // Keys that apps and web pages of a platform can contain. They have fewer permissions than the token of the platform.
    this.addSql(`
      create table publishable_key (
        id text primary key,
        platform_id text,
        label text,
        allowed_origins text[] not null default '{}', -- origins of web pages that may use the key, at most 100
        hint text, -- first characters
        revoked_at timestamptz, -- a revocation is permanent
        key_hash text not null constraint publishable_key_key_hash_unique unique, -- SHA-256
        ${tracked}
      );
      create index publishable_key_platform_id_idx on publishable_key (platform_id, id);
      create index publishable_key_created_at_idx on publishable_key (created_at desc nulls last, id);
      ${auditWrites('publishable_key', 'PublishableKey', 'platformId', 'allowedOrigins', 'revokedAt')};
      ${logChanges('publishable_key', 'PublishableKey', 'platform_id')};
    `);
  }

  private createUsers(): void {
    this.addSql(`
      create table app_user (
        id text primary key,
        email text constraint app_user_email_unique unique, -- in lower case
        first_name text,
        last_name text,
        name_suffix text,
        phone text, -- as entered
        phone_country_id text, -- for phone numbers without a country code
        gender text, -- F or M: category in competitions
        date_of_birth timestamptz,
        country_id text, state_id text, city text, zip text,
        latitude double precision, longitude double precision, -- degrees
        shows_place boolean not null default false, -- lets other users find the user by distance
        slug text not null constraint app_user_slug_unique unique, -- last part of the URL of the profile
        image_url text, -- displayed URL: approved_image_url, or else the URL that was set
        approved_image_url text, -- newest approved profile image, set by triggers
        own_image_url text, -- URL that was set, stored while an approved image replaces it
        is_super_admin boolean not null default false,
        verified_at timestamptz, -- time at which the email address was verified
        erased_at timestamptz,
        platform_id text, -- platform that the user joined through
        role_ids text[] not null default '{}', -- without inherited roles
        password_hash text, -- argon2id
        -- True if a platform may have chosen the password. The password is removed when the user gets a role.
        is_password_unproven boolean not null default false,
        -- True if a platform set the address of an existing user. The address must be confirmed before the user gets a role.
        is_email_unproven boolean not null default false,
        ${tracked},
        version int not null default 1 -- incremented by each change, for optimistic locking
      );
      create index app_user_phone_idx on app_user (phone, id);
      create index app_user_created_at_idx on app_user (created_at desc nulls last, id);
      create index app_user_platform_id_idx on app_user (platform_id, id);
      create index app_user_location_idx on app_user using gist (ll_to_earth(latitude, longitude));
      create index app_user_first_name_last_name_search_idx on app_user using gin (unaccent_lower(nfc(((coalesce(first_name, '') || ' ') || coalesce(last_name, '')))) gin_trgm_ops);
      ${searchTexts('app_user', 'User', { name: ['first_name', 'last_name'] })};
      ${auditWrites('app_user', 'User', 'roleIds', 'isSuperAdmin', 'verifiedAt', 'platformId')};
      ${logChanges('app_user', 'User')};
    `);
    // Users without a slug, such as erased users, get a slug from a tilde and their ID. Slugs that are derived from names contain no tilde.
    this.addSql(`
      create function set_user_slug() returns trigger language plpgsql as $$
      begin
        new.slug := coalesce(nullif(new.slug, ''), '~' || new.id);
        return new;
      end
      $$;
      create trigger set_user_slug before insert or update of slug on app_user for each row execute function set_user_slug();
    `);
    // A new super admin has to sign in again, because platforms could have tokens, links and codes of the user.
    this.addSql(`
      create function revoke_credentials() returns trigger language plpgsql as $$
      begin
        update public.user_token set revoked_at = clock_timestamp() where user_id = new.id and revoked_at is null;
        update public.one_time_value set used_at = clock_timestamp() where user_id = new.id and used_at is null;
        return null;
      end
      $$;
      create trigger revoke_credentials after update of is_super_admin on app_user for each row
        when (new.is_super_admin and not old.is_super_admin) execute function revoke_credentials();
    `);
  }

  private createCredentials(): void {
    this.addSql(`
      create table user_token (
        id text primary key,
        token_hash text not null constraint user_token_token_hash_unique unique, -- SHA-256
        user_id text,
        expires_at timestamptz not null,
        revoked_at timestamptz, -- a revocation is permanent
        device text, -- device of the sign-in, or "placed" for a token that a platform issued
        created_at timestamptz not null default clock_timestamp()
      );
      create index user_token_user_id_idx on user_token (user_id, id);
      create index user_token_created_at_idx on user_token (created_at desc nulls last, id);
      ${auditWrites('user_token', 'UserToken', 'userId', 'expiresAt', 'revokedAt')};
      ${logChanges('user_token', 'UserToken', 'user_id')};
    `);
    // One-time codes and links, for example to reset a password.
    this.addSql(`
      create table one_time_value (
        id text primary key,
        -- SHA-256 of a random value, or argon2id of a short code.
        value_hash text not null constraint one_time_value_value_hash_unique unique,
        purpose text not null,
        user_id text,
        expires_at timestamptz not null,
        used_at timestamptz, -- also set when the value is invalidated
        attempts int not null default 0, -- failed attempts with a code
        pending jsonb, -- changes that take effect when the value is used
        created_at timestamptz not null default clock_timestamp()
      );
      create index one_time_value_user_id_idx on one_time_value (user_id, id);
      create index one_time_value_created_at_idx on one_time_value (created_at desc nulls last, id);
    `);
    // Hashes of network locations from which users have signed in. Wrong passwords from other locations do not lock users out at these locations.
    this.addSql(`
      create table sign_in_location (
        user_id text not null,
        location_hash text not null,
        seen_at timestamptz not null default clock_timestamp(),
        primary key (user_id, location_hash)
      );
      create index sign_in_location_seen_at_idx on sign_in_location (seen_at);
    `);
  }

  /** Creates the table of URLs for calendar apps, which read the games of a user. */
  private createCalendarLinks(): void {
    this.addSql(`
      create table calendar_link (
        id text primary key,
        user_id text,
        label text, -- such as the name of a phone
        revoked_at timestamptz, -- a revocation is permanent
        token_hash text not null constraint calendar_link_token_hash_unique unique, -- SHA-256
        created_at timestamptz not null default clock_timestamp()
      );
      create index calendar_link_user_id_idx on calendar_link (user_id, id);
      create index calendar_link_created_at_idx on calendar_link (created_at desc nulls last, id);
      ${logChanges('calendar_link', 'CalendarLink', 'user_id')};
    `);
  }
}
