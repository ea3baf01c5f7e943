import { Migration } from '@mikro-orm/migrations';

/** Invited addresses to look up, and repeating games: which date of its series a game is, and which dates are skipped. */
export class Migration0019Scheduler extends Migration {
  override up(): void {
    this.addSql(
      `alter table "game" add column "occurs_on" text null, add column "skipped_days" text[] not null default '{}', add column "invited_addresses" text[] not null default '{}'`,
    );
    this.addSql(
      `update game set invited_addresses = array(select distinct lower(address) from unnest(invited_emails) address) where invited_emails <> '{}'`,
    );
    this.addSql(
      `update game set player_ids = array(select id from unnest(player_ids) with ordinality player(id, place) group by id order by min(place))
       where cardinality(player_ids) > (select count(distinct id) from unnest(player_ids) id)`,
    );
    // Local times that were not sent are those of the time zone; names that are no zone are passed over.
    this.addSql(
      `update game set local_day = coalesce(local_day, (day at time zone zone.name) at time zone 'UTC'),
         local_starts_at = coalesce(local_starts_at, (starts_at at time zone zone.name) at time zone 'UTC'),
         local_ends_at = coalesce(local_ends_at, (ends_at at time zone zone.name) at time zone 'UTC')
       from pg_timezone_names zone where zone.name = game.time_zone`,
    );
    this.addSql(`create index game_invited_addresses_idx on game using gin (invited_addresses)`);
    this.addSql(`alter table "game" add constraint "game_key_unique" unique ("parent_id", "occurs_on")`);
    this.addSql(
      `create index game_repeating_idx on game (id) where is_repeated and repeats is not null and occurs_on is null and archived_at is null`,
    );
  }
}
