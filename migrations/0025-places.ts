import { Migration } from '@mikro-orm/migrations';

/** Clubs, leagues, games and users have a place where the distance to them is asked for, and names that are searched as titles of tournaments are. */
export class Migration0025Places extends Migration {
  override up(): void {
    this.addSql(
      `alter table "app_user" add "latitude" double precision null, add "longitude" double precision null, add "shows_place" boolean not null default false`,
    );
    this.addSql(`create index app_user_place_idx on app_user using gist (ll_to_earth(latitude, longitude))`);
    this.addSql(
      `alter table "game" add "location_venue" text null, add "location_street_address" text null, add "location_city" text null, add "location_state" text null, add "location_zip" text null, add "location_country" text null, add "location_latitude" double precision null, add "location_longitude" double precision null`,
    );
    this.addSql(`create index game_place_idx on game using gist (ll_to_earth(location_latitude, location_longitude))`);
    this.addSql(
      `alter table "club" add "location_venue" text null, add "location_street_address" text null, add "location_city" text null, add "location_state" text null, add "location_zip" text null, add "location_country" text null, add "location_latitude" double precision null, add "location_longitude" double precision null`,
    );
    this.addSql(`create index club_place_idx on club using gist (ll_to_earth(location_latitude, location_longitude))`);
    this.addSql(
      `alter table "league" add "location_latitude" double precision null, add "location_longitude" double precision null`,
    );
    this.addSql(`create index league_place_idx on league using gist (ll_to_earth(location_latitude, location_longitude))`);
    for (const table of ['club', 'league', 'game', 'news_item'])
      this.addSql(`create index if not exists ${table}_title_search_idx on ${table} using gin (folded(nfc(title)) gin_trgm_ops)`);
    this.addSql(
      `create index if not exists app_user_first_name_last_name_search_idx on app_user using gin (folded(nfc(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) gin_trgm_ops)`,
    );
  }
}
