import { Migration } from '@mikro-orm/migrations';
import { logChanges, tracked } from './shared.js';

/** Creates the table of ranking points, and the function that cancels points. */
export class Baseline0007Rankings extends Migration {
  override up(): void {
    this.addSql(`
      create table ranking_points (
        id text primary key,
        player_id text,
        player_name text, -- sent with the points, as are the titles of tournament and event
        tournament_id text,
        tournament_title text,
        event_id text,
        event_title text,
        -- WOMENS_SINGLES, MENS_SINGLES, MIXED_DOUBLES, WOMENS_DOUBLES, MENS_DOUBLES or OTHER, derived from event_title.
        division text not null default 'OTHER',
        played_at timestamptz, -- determines which rankings include the points
        bracket_level_id text,
        type double precision, -- each platform defines its own numbers
        points double precision, -- may have fractions
        last_match_round double precision, -- number of the last round that the player reached
        last_match_round_title text,
        last_match_completed_at timestamptz,
        last_match_id text, -- ID on the platform
        tier_level text, -- title, as sent by the platform
        -- While these points count, the points of that tournament do not count for the player. Example: its previous edition.
        cancels_out_tournament_id text,
        is_ignored boolean not null default false, -- the points do not count and cancel out no other points
        is_locked boolean not null default false, -- only a platform or a super admin can unlock the record
        ${tracked},
        constraint ranking_points_key_unique unique (player_id, event_id)
      );
      create index ranking_points_player_id_idx on ranking_points (player_id, id);
      create index ranking_points_tournament_id_idx on ranking_points (tournament_id, id);
      create index ranking_points_played_at_idx on ranking_points (played_at desc nulls last, id);
      create index ranking_points_updated_at_idx on ranking_points (updated_at desc nulls last, id);
      create index ranking_points_created_at_idx on ranking_points (created_at desc nulls last, id);
      create index ranking_points_window_idx on ranking_points (division, played_at);
      create index ranking_points_event_points_idx on ranking_points (event_id, points desc nulls last, id);
      ${logChanges('ranking_points', 'RankingPoints')};
    `);
    this.cancelPoints();
  }

  /**
   * Creates a function that returns the IDs of a player's canceled points. Its input is the list of points, latest first, without ignored points.
   *
   * Points count unless other points that count cancel out their tournament. If points cancel each other out in a cycle, the latest points count.
   * A tournament is represented by the index of its first points, so that each step is an array access.
   */
  private cancelPoints(): void {
    this.addSql(`
      create function canceled_points(ids text[], tournaments text[], cancels text[]) returns text[]
      language plpgsql immutable parallel safe as $$
      declare
        own_tournament int[];
        target_tournament int[];
        undecided_cancelers int[] := array_fill(0, array[cardinality(ids)]);
        is_canceled bool[] := array_fill(false, array[cardinality(ids)]);
        counts bool[] := array_fill(null::bool, array[cardinality(ids)]);
        canceled text[] := '{}';
        undecided int := cardinality(ids);
        undecided_before int;
        tournament int;
        outer_tournament int;
        cycle int[];
        latest int;
      begin
        for i in 1..cardinality(ids) loop
          own_tournament[i] := case when tournaments[i] is not null then array_position(tournaments, tournaments[i]) end;
          target_tournament[i] := case when cancels[i] is not null then nullif(array_position(tournaments, cancels[i]), own_tournament[i]) end;
          if target_tournament[i] is not null then undecided_cancelers[target_tournament[i]] := undecided_cancelers[target_tournament[i]] + 1; end if;
        end loop;
        while undecided > 0 loop
          undecided_before := undecided;
          for i in 1..cardinality(ids) loop
            continue when counts[i] is not null or i is distinct from latest and not is_canceled[own_tournament[i]] and undecided_cancelers[own_tournament[i]] > 0;
            counts[i] := i is not distinct from latest or is_canceled[own_tournament[i]] is distinct from true;
            undecided := undecided - 1;
            if not counts[i] then canceled := canceled || ids[i]; end if;
            if target_tournament[i] is not null then
              undecided_cancelers[target_tournament[i]] := undecided_cancelers[target_tournament[i]] - 1;
              is_canceled[target_tournament[i]] := is_canceled[target_tournament[i]] or counts[i];
            end if;
          end loop;
          if undecided = undecided_before then
            tournament := own_tournament[array_position(counts, null)];
            loop
              with recursive edge as materialized (
                select own_tournament[i] as a, target_tournament[i] as b from generate_series(1, cardinality(ids)) i where counts[i] is null and target_tournament[i] is not null
              ), up(n) as (
                select tournament union select a from up join edge on b = n
              ), down(n) as (
                select tournament union select b from down join edge on a = n
              )
              select array_agg(n), min(n) filter (where n not in (select n from down)) into cycle, outer_tournament from up;
              exit when outer_tournament is null;
              tournament := outer_tournament;
            end loop;
            select min(i) into strict latest from generate_series(1, cardinality(ids)) i
            where counts[i] is null and own_tournament[i] = any(cycle) and target_tournament[i] = any(cycle);
          end if;
        end loop;
        return canceled;
      end
      $$
    `);
  }
}
