import { Migration } from '@mikro-orm/migrations';
import { logChanges, tracked } from './shared.js';

/** Ranking points of players. */
export class Baseline0007Rankings extends Migration {
  override up(): void {
    this.addSql(`
      create table ranking_points (
        id text primary key,
        player_id text,
        player_name text, -- as sent with the points, like the titles of tournament and event
        tournament_id text,
        tournament_title text,
        event_id text,
        event_title text,
        -- WOMENS_SINGLES, MENS_SINGLES, MIXED_DOUBLES, WOMENS_DOUBLES, MENS_DOUBLES or OTHER, derived from event_title.
        division text not null default 'OTHER',
        played_at timestamptz, -- determines the rankings that count the points
        bracket_level_id text,
        type double precision, -- each platform defines its own numbers
        points double precision, -- may have fractions
        last_match_round double precision, -- number of the last round that the player reached
        last_match_round_title text,
        last_match_completed_at timestamptz,
        last_match_id text, -- ID on the platform
        tier_level text, -- title, as sent
        -- Its points do not count for the player while these points count, such as those of the previous edition.
        cancels_out_tournament_id text,
        is_ignored boolean not null default false, -- do not count, and cancel out no other points
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
      create index ranking_points_most_idx on ranking_points (event_id, points desc nulls last, id);
      ${logChanges('ranking_points', 'RankingPoints')};
    `);
    this.cancelPoints();
  }

  /**
   * IDs of a player's points that are canceled. The points are given latest first, without ignored ones.
   *
   * Points count unless points that count cancel out their tournament. If that decides no more, some points cancel each other in a cycle that no
   * other points decide. Then the latest of the cycle count, and the rest follows. A tournament is represented by the index of its first points, so
   * that each step is an array access.
   */
  private cancelPoints(): void {
    this.addSql(`
      create function cancelled_points(ids text[], tournaments text[], cancels text[]) returns text[]
      language plpgsql immutable parallel safe as $$
      declare
        own int[];
        target int[];
        threats int[] := array_fill(0, array[cardinality(ids)]);
        is_hit bool[] := array_fill(false, array[cardinality(ids)]);
        counts bool[] := array_fill(null::bool, array[cardinality(ids)]);
        cancelled text[] := '{}';
        undecided int := cardinality(ids);
        undecided_before int;
        place int;
        outside int;
        circle int[];
        latest int;
      begin
        for i in 1..cardinality(ids) loop
          own[i] := case when tournaments[i] is not null then array_position(tournaments, tournaments[i]) end;
          target[i] := case when cancels[i] is not null then nullif(array_position(tournaments, cancels[i]), own[i]) end;
          if target[i] is not null then threats[target[i]] := threats[target[i]] + 1; end if;
        end loop;
        while undecided > 0 loop
          undecided_before := undecided;
          for i in 1..cardinality(ids) loop
            continue when counts[i] is not null or i is distinct from latest and not is_hit[own[i]] and threats[own[i]] > 0;
            counts[i] := i is not distinct from latest or is_hit[own[i]] is distinct from true;
            undecided := undecided - 1;
            if not counts[i] then cancelled := cancelled || ids[i]; end if;
            if target[i] is not null then
              threats[target[i]] := threats[target[i]] - 1;
              is_hit[target[i]] := is_hit[target[i]] or counts[i];
            end if;
          end loop;
          if undecided = undecided_before then
            place := own[array_position(counts, null)];
            loop
              with recursive edge as materialized (
                select own[i] as a, target[i] as b from generate_series(1, cardinality(ids)) i where counts[i] is null and target[i] is not null
              ), up(n) as (
                select place union select a from up join edge on b = n
              ), down(n) as (
                select place union select b from down join edge on a = n
              )
              select array_agg(n), min(n) filter (where n not in (select n from down)) into circle, outside from up;
              exit when outside is null;
              place := outside;
            end loop;
            select min(i) into strict latest from generate_series(1, cardinality(ids)) i
            where counts[i] is null and own[i] = any(circle) and target[i] = any(circle);
          end if;
        end loop;
        return cancelled;
      end
      $$
    `);
  }
}
