import { Migration } from '@mikro-orm/migrations';

export class Migration0008Officiating extends Migration {
  override up(): void {
    this.addSql(
      `create table "pregame" ("id" text not null, "match_id" text null, "game_number" double precision null, "serving_team_id" text null, "receiving_team_id" text null, "left_team_id" text null, "right_team_id" text null, "team_one_first_server_id" text null, "team_two_first_server_id" text null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index pregame_match_id_idx on pregame (match_id, id)`);
    this.addSql(`create index pregame_created_at_idx on pregame (created_at desc nulls last, id)`);
    this.addSql(
      `create table "prematch" ("id" text not null, "match_id" text null, "setup_started_at" timestamptz null, "players_on_court_at" timestamptz null, "warmup_started_at" timestamptz null, "team_one_player_one_note" text null, "team_one_player_two_note" text null, "team_two_player_one_note" text null, "team_two_player_two_note" text null, "coin_tossed_at" timestamptz null, "coin_toss_team_id" text null, "scoring_started_at" timestamptz null, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index prematch_match_id_idx on prematch (match_id, id)`);
    this.addSql(`create index prematch_created_at_idx on prematch (created_at desc nulls last, id)`);
  }
}
