import { Migration } from '@mikro-orm/migrations';

export class Migration0013Rankings extends Migration {
  override up(): void {
    this.addSql(
      `create table "ranking_points" ("id" text not null, "player_id" text null, "player_name" text null, "tournament_id" text null, "tournament_title" text null, "event_id" text null, "event_title" text null, "division" text not null default 'OTHER', "event_date" timestamptz null, "bracket_level_id" text null, "points_type" double precision null, "points" double precision null, "last_match_round" double precision null, "last_match_round_text" text null, "last_match_completed_at" timestamptz null, "last_match_id" text null, "tier" text null, "cancels_out_tournament_id" text null, "is_ignored" boolean not null default false, "is_locked" boolean not null default false, "updated_at" timestamptz null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index ranking_points_player_id_idx on ranking_points (player_id, id)`);
    this.addSql(`create index ranking_points_tournament_id_idx on ranking_points (tournament_id, id)`);
    this.addSql(`create index ranking_points_event_date_idx on ranking_points (event_date desc nulls last, id)`);
    this.addSql(`create index ranking_points_updated_at_idx on ranking_points (updated_at desc nulls last, id)`);
    this.addSql(`create index ranking_points_inserted_at_idx on ranking_points (inserted_at desc nulls last, id)`);
    this.addSql(`create index ranking_points_window_idx on ranking_points (division, event_date)`);
    this.addSql(`create index ranking_points_most_idx on ranking_points (event_id, points desc nulls last, id)`);
    this.addSql(`alter table "ranking_points" add constraint "ranking_points_key_unique" unique ("player_id", "event_id")`);
  }
}
