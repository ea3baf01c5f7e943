import { Migration } from '@mikro-orm/migrations';
import { logChanges, reportedByDefault, tracked } from './shared.js';

const isOtherCompetition = 'old.tournament_id is distinct from new.tournament_id or old.event_id is distinct from new.event_id';

/** Creates the tables of prematches and pregames, which referees record before matches and games. Triggers derive matches from them. */
export class Baseline0012Officiating extends Migration {
  override up(): void {
    this.createRecords();
    this.createMatches();
    this.collectMatches();
    this.refreshMatches();
  }

  private createRecords(): void {
    this.addSql(`
      create table prematch (
        id text primary key,
        match_id text, -- ID on the platform
        court text, -- name or number
        setup_started_at timestamptz,
        players_on_court_at timestamptz,
        warmup_started_at timestamptz,
        team_one_player_one_note text, team_one_player_two_note text,
        team_two_player_one_note text, team_two_player_two_note text,
        coin_tossed_at timestamptz,
        coin_toss_team_id text, -- team that won the toss
        scoring_started_at timestamptz,
        ${reportedByDefault},
        ${tracked}
      );
      create index prematch_match_id_idx on prematch (match_id, id);
      create index prematch_reported_created_at_idx on prematch (reported_created_at desc nulls last, id);
      create index prematch_created_at_idx on prematch (created_at desc nulls last, id);
      ${logChanges('prematch', 'Prematch', 'match_id', 'coin_toss_team_id')};
    `);
    this.addSql(`
      create table pregame (
        id text primary key,
        match_id text, -- ID on the platform
        game_number double precision, -- from 1
        serving_team_id text, receiving_team_id text, -- teams that serve and receive first
        left_team_id text, right_team_id text, -- as seen by the umpire
        team_one_first_server_id text,
        team_two_first_server_id text,
        ${reportedByDefault},
        ${tracked}
      );
      create index pregame_match_id_idx on pregame (match_id, id);
      create index pregame_reported_created_at_idx on pregame (reported_created_at desc nulls last, id);
      create index pregame_created_at_idx on pregame (created_at desc nulls last, id);
      ${logChanges('pregame', 'Pregame', 'match_id', 'serving_team_id', 'receiving_team_id', 'left_team_id', 'right_team_id')};
    `);
  }

  /** Creates the table of matches, which can be listed by tournament, event and team. */
  private createMatches(): void {
    this.addSql(`
      create table match (
        id text primary key, -- ID on the platform
        tournament_id text, event_id text, -- tournament and event of the teams. Null if the teams are unknown
        team_ids text[] not null default '{}', -- teams in the prematches and pregames
        referee_ids text[] not null default '{}', -- users who wrote the prematches and pregames
        court text,
        scoring_started_at timestamptz,
        games_started int not null default 0,
        created_at timestamptz not null default clock_timestamp()
      );
      create index match_tournament_id_idx on match (tournament_id, id);
      create index match_event_id_idx on match (event_id, id);
      create index match_team_ids_idx on match using gin (team_ids);
      create index match_created_at_idx on match (created_at desc nulls last, id);
    `);
    // The lock serializes concurrent writes of one match. Each later statement of the function has a new snapshot and sees the other write.
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
        team_list := array(
          select distinct named.id from (
            select p.coin_toss_team_id from prematch p where p.match_id = m
            union all
            select unnest(array[g.serving_team_id, g.receiving_team_id, g.left_team_id, g.right_team_id]) from pregame g where g.match_id = m
          ) named(id) where named.id <> '' order by named.id);
        referee_list := array(
          select distinct writer.id from (
            select p.created_by_id from prematch p where p.match_id = m union all select g.created_by_id from pregame g where g.match_id = m
          ) writer(id) where writer.id <> '' order by writer.id);
        insert into match (id, tournament_id, event_id, team_ids, referee_ids, court, scoring_started_at, games_started)
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
      end $$
    `);
  }

  /**
   * Creates triggers that collect the IDs of matches to refresh in the setting courtside.matches. The setting is local to the transaction, and a
   * rollback to a savepoint restores it. At the end of the transaction, the matches are refreshed in the order of their IDs to prevent deadlocks.
   */
  private collectMatches(): void {
    this.addSql(`
      create function collect_matches(ids text[]) returns void language plpgsql as $$
      declare collected text[] := coalesce(nullif(current_setting('courtside.matches', true), ''), '{}')::text[];
      begin
        if ids <@ collected then return; end if;
        perform set_config('courtside.matches', (collected || ids)::text, true);
      end $$;

      create function collect_matches_of_records() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform public.collect_matches(array(select distinct match_id from removed where match_id <> '')); end if;
        if tg_op <> 'DELETE' then perform public.collect_matches(array(select distinct match_id from added where match_id <> '')); end if;
        return null;
      end $$;

      create function collect_matches_of_teams() returns trigger language plpgsql as $$
      begin
        perform public.collect_matches(array(select m.id from public.match m where m.team_ids && array(select id from teams)));
        return null;
      end $$;

      create function collect_matches_of_team() returns trigger language plpgsql as $$
      begin
        perform public.collect_matches(array(select m.id from public.match m where m.team_ids @> array[new.id]));
        return null;
      end $$;
    `);
    for (const table of ['prematch', 'pregame'])
      this.addSql(`
      create trigger collect_matches_of_insert after insert on ${table} referencing new table as added
        for each statement execute function collect_matches_of_records();
      create trigger collect_matches_of_update after update on ${table} referencing old table as removed new table as added
        for each statement execute function collect_matches_of_records();
      create trigger collect_matches_of_delete after delete on ${table} referencing old table as removed
        for each statement execute function collect_matches_of_records();
    `);
    // A row-level trigger costs nothing for updates of other columns. The competition of a team rarely changes.
    this.addSql(`
      create trigger collect_matches_of_insert after insert on team referencing new table as teams
        for each statement execute function collect_matches_of_teams();
      create trigger collect_matches_of_update after update on team for each row
        when (${isOtherCompetition}) execute function collect_matches_of_team();
      create trigger collect_matches_of_delete after delete on team referencing old table as teams
        for each statement execute function collect_matches_of_teams();
    `);
  }

  private refreshMatches(): void {
    // The trigger runs for each row, but only its first call in a transaction finds IDs.
    this.addSql(`
      create function refresh_collected_matches() returns trigger language plpgsql as $$
      declare
        ids text[] := nullif(current_setting('courtside.matches', true), '')::text[];
        match_id text;
      begin
        if ids is null then return null; end if;
        perform set_config('courtside.matches', '', true);
        for match_id in select distinct m.id from unnest(ids) as m(id) order by m.id loop
          perform public.refresh_match(match_id);
        end loop;
        return null;
      end $$
    `);
    for (const table of ['prematch', 'pregame'])
      this.addSql(`
      create constraint trigger refresh_matches after insert or update or delete on ${table} deferrable initially deferred
        for each row execute function refresh_collected_matches()
    `);
    this.addSql(`
      create constraint trigger refresh_matches after insert or delete on team deferrable initially deferred
        for each row execute function refresh_collected_matches();
      create constraint trigger refresh_matches_of_update after update on team deferrable initially deferred
        for each row when (${isOtherCompetition}) execute function refresh_collected_matches();
    `);
  }
}
