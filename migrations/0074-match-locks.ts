import { Migration } from '@mikro-orm/migrations';

const isOtherCompetition = 'old.tournament_id is distinct from new.tournament_id or old.event_id is distinct from new.event_id';

/**
 * Refreshes matches at the end of the transaction, locked in the order of their IDs. Before, each statement locked its matches in the order of its
 * rows, so that concurrent writes of the same matches could deadlock.
 */
export class Migration0074MatchLocks extends Migration {
  override up(): void {
    for (const table of ['prematch', 'pregame']) this.addSql(`drop trigger refresh_match on ${table}`);
    this.addSql('drop trigger refresh_matches on team');
    this.addSql('drop function refresh_match_of_row()');
    this.addSql('drop function refresh_matches_of_team()');
    this.collect();
    this.refresh();
    for (const table of ['prematch', 'pregame']) {
      for (const [event, rows] of [
        ['insert', 'new table as added'],
        ['update', 'old table as removed new table as added'],
        ['delete', 'old table as removed'],
      ])
        this.addSql(
          `create trigger collect_matches_of_${event} after ${event} on ${table} referencing ${rows} for each statement execute function collect_matches_of_records()`,
        );
      this.addSql(
        `create constraint trigger refresh_matches after insert or update or delete on ${table} deferrable initially deferred
           for each row execute function refresh_collected_matches()`,
      );
    }
    for (const [event, rows] of [
      ['insert', 'new'],
      ['delete', 'old'],
    ])
      this.addSql(
        `create trigger collect_matches_of_${event} after ${event} on team referencing ${rows} table as teams for each statement execute function collect_matches_of_teams()`,
      );
    this.addSql(
      `create trigger collect_matches_of_update after update on team for each row when (${isOtherCompetition}) execute function collect_matches_of_team()`,
    );
    this.addSql(
      `create constraint trigger refresh_matches after insert or delete on team deferrable initially deferred
         for each row execute function refresh_collected_matches()`,
    );
    this.addSql(
      `create constraint trigger refresh_matches_of_update after update on team deferrable initially deferred
         for each row when (${isOtherCompetition}) execute function refresh_collected_matches()`,
    );
  }

  /** The setting holds the IDs of the matches to refresh. It is local to the transaction, and a rollback to a savepoint restores it. */
  private collect(): void {
    this.addSql(`create function collect_matches(ids text[]) returns void language plpgsql as $$
      declare collected text[] := coalesce(nullif(current_setting('courtside.matches', true), ''), '{}')::text[];
      begin
        if ids <@ collected then return; end if;
        perform set_config('courtside.matches', (collected || ids)::text, true);
      end $$`);
    this.addSql(`create function collect_matches_of_records() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform public.collect_matches(array(select distinct match_id from removed where match_id <> '')); end if;
        if tg_op <> 'DELETE' then perform public.collect_matches(array(select distinct match_id from added where match_id <> '')); end if;
        return null;
      end $$`);
    this.addSql(`create function collect_matches_of_teams() returns trigger language plpgsql as $$
      begin
        perform public.collect_matches(array(select m.id from public.match m where m.team_ids && array(select id from teams)));
        return null;
      end $$`);
    this.addSql(`create function collect_matches_of_team() returns trigger language plpgsql as $$
      begin
        perform public.collect_matches(array(select m.id from public.match m where m.team_ids @> array[new.id]));
        return null;
      end $$`);
  }

  /** Runs for each row, but only the first call of a transaction finds IDs. */
  private refresh(): void {
    this.addSql(`create function refresh_collected_matches() returns trigger language plpgsql as $$
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
      end $$`);
  }
}
