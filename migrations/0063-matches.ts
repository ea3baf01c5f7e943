import { Migration } from '@mikro-orm/migrations';

const teams = `array(
      select distinct named.id from (
        select p.coin_toss_team_id from prematch p where p.match_id = m
        union all
        select unnest(array[g.serving_team_id, g.receiving_team_id, g.left_team_id, g.right_team_id]) from pregame g where g.match_id = m
      ) named(id) where named.id <> '' order by named.id)`;

const referees = `array(
      select distinct writer.id from (
        select p.created_by_id from prematch p where p.match_id = m union all select g.created_by_id from pregame g where g.match_id = m
      ) writer(id) where writer.id <> '' order by writer.id)`;

/** Adds matches. Triggers derive them from the records of referees, so that they can be listed by tournament, event and team. */
export class Migration0063Matches extends Migration {
  override up(): void {
    this.addSql(`alter table prematch add column court text null`);
    this.addSql(
      `create table "match" ("id" text not null, "tournament_id" text null, "event_id" text null, "team_ids" text[] not null default '{}', "referee_ids" text[] not null default '{}', "court" text null, "scoring_started_at" timestamptz null, "games_started" integer not null default 0, "created_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index match_tournament_id_idx on match (tournament_id, id)`);
    this.addSql(`create index match_event_id_idx on match (event_id, id)`);
    this.addSql(`create index match_team_ids_idx on match using gin (team_ids)`);
    this.addSql(`create index match_created_at_idx on match (created_at desc nulls last, id)`);
    // The lock serializes concurrent writes of one match. Each later statement of the function has a new snapshot, so it sees the other write.
    this.addSql(`
      create function refresh_match(m text) returns void language plpgsql as $$
      declare team_list text[]; referee_list text[];
      begin
        if m is null or m = '' then return; end if;
        perform pg_advisory_xact_lock(hashtextextended(m, 63));
        if not exists (select from prematch where match_id = m) and not exists (select from pregame where match_id = m) then
          delete from match where id = m;
          return;
        end if;
        team_list := ${teams};
        referee_list := ${referees};
        insert into match as kept (id, tournament_id, event_id, team_ids, referee_ids, court, scoring_started_at, games_started)
        values (m,
          (select min(t.tournament_id) from team t where t.id = any(team_list)),
          (select min(t.event_id) from team t where t.id = any(team_list)),
          team_list, referee_list,
          (select p.court from prematch p where p.match_id = m and p.court is not null order by p.created_at desc, p.id limit 1),
          (select min(p.scoring_started_at) from prematch p where p.match_id = m),
          (select count(distinct g.game_number) from pregame g where g.match_id = m))
        on conflict (id) do update set tournament_id = excluded.tournament_id, event_id = excluded.event_id, team_ids = excluded.team_ids,
          referee_ids = excluded.referee_ids, court = excluded.court, scoring_started_at = excluded.scoring_started_at,
          games_started = excluded.games_started;
      end $$`);
    this.addSql(`
      create function refresh_match_of_row() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform refresh_match(old.match_id); end if;
        if tg_op = 'INSERT' then perform refresh_match(new.match_id);
        elsif tg_op = 'UPDATE' and new.match_id is distinct from old.match_id then perform refresh_match(new.match_id); end if;
        return null;
      end $$`);
    this.addSql(`
      create function refresh_matches_of_team() returns trigger language plpgsql as $$
      begin
        perform refresh_match(m.id) from match m where m.team_ids @> array[coalesce(new.id, old.id)] order by m.id;
        return null;
      end $$`);
    for (const table of ['prematch', 'pregame'])
      this.addSql(
        `create trigger refresh_match after insert or update or delete on ${table} for each row execute function refresh_match_of_row()`,
      );
    this.addSql(
      `create trigger refresh_matches after insert or delete or update of tournament_id, event_id on team
         for each row execute function refresh_matches_of_team()`,
    );
    this.addSql(
      `select refresh_match(known.id) from (select match_id as id from prematch union select match_id from pregame) known where known.id <> ''`,
    );
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('prematch')`);
  }
}
