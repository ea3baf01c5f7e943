import {
  allOf,
  alwaysTrue,
  constantSql,
  currentTimestamp,
  expression,
  mainRow,
  parameter,
  tableNamed,
} from '../../kernel/declare/expression.js';
import { visibleRows } from '../../kernel/read/conditions/visible.js';
import { checkedRows, is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { readingSql } from '../../kernel/statement.js';
import { Gender } from '../accounts/users/user.js';
import type { Division } from './division.js';
import type { RankedPlayer } from './ranked-player.js';
import { RankingPoints } from './ranking-points.js';
import type { RankingWindow } from './ranking-window.js';

/** Determines which points a ranking counts, and which players it returns. */
interface RankingScope extends RankingWindow {
  division: Division | null;
  gender: 'F' | 'M' | null;
  /** Players to return, with their ranks among all players. Default: all players. */
  players?: readonly string[];
}

/** Row of a ranked player. Unlike the class, a type alias is assignable to `Row`. */
type RankedPlayerRow = Pick<RankedPlayer, keyof RankedPlayer>;

/**
 * Range of positions in a ranking. Positions start at 0. Selects the first `size` positions between `from` and `until`, or the last `size`
 * if `isBackward`.
 */
interface RankingRange {
  readonly size: number;
  readonly from: number;
  /** End of the range, exclusive. Null means the end of the ranking. */
  readonly until: number | null;
  readonly isBackward: boolean;
}

/** Page of a ranking, with the position of its first player and the number of all ranked players. */
interface RankingPage {
  rows: RankedPlayerRow[];
  start: number;
  total: number;
}

/** A page without players has one row. It contains the total, and null in the player columns. */
const pageShape = { start: is.number, total: is.number, playerId: is.orNull(is.text) };

const playerShape = {
  playerId: is.text,
  playerName: is.orNull(is.text),
  rank: is.number,
  points: is.number,
  isTied: is.boolean,
  isAdjusted: is.boolean,
  tournamentsPlayed: is.number,
  countedIds: is.texts,
  droppedIds: is.texts,
  gender: is.orNull(is.oneOf(Gender)),
  age: is.orNull(is.number),
};

/** Latest points first. Points with the same time are ordered by descending ID. */
const latestFirst = constantSql('played_at desc, id collate "C" desc');

/** Largest double. Sums are clamped to it, because a sum outside the range of doubles would make the statement fail. */
const maxDouble = constantSql(`${Number.MAX_VALUE}::numeric`);

/**
 * Ranks players by the sum of the points that count, with one statement. Omits players without such points. Sums are exact, so equal points
 * tie.
 *
 * Points do not count if they are ignored, or if other points of the player cancel out their tournament. Only points that count can cancel
 * out others. Players with only hidden points get a rank, but the page and the total omit them.
 *
 * A join finds most of the canceled points. If the points that cancel others are themselves canceled, the SQL function `canceled_points`
 * determines which points of the player count, latest first.
 */
export async function rankPlayers(sql: Session, scope: RankingScope, range: RankingRange): Promise<RankingPage> {
  const [size, from] = [parameter(range.size), parameter(range.from)];
  const [until, isBackward] = [parameter(range.until), parameter(range.isBackward)];
  const [points, users] = [tableNamed('ranking_points'), tableNamed('app_user')];
  const visibleCondition = visibleRows(RankingPoints, sql.caller, mainRow);
  const conditions = allOf([
    expression`r.played_at >= ${parameter(scope.from)}`,
    ...(scope.until ? [expression`r.played_at < ${parameter(scope.until)}`] : []),
    ...(scope.division ? [expression`r.division = ${parameter(scope.division)}`] : []),
    ...(scope.gender
      ? [expression`exists (select from ${users} u where u.id = r.player_id and u.gender = ${parameter(scope.gender)})`]
      : []),
    ...(visibleCondition && !scope.countsHiddenPoints ? [visibleCondition] : []),
  ]);
  const isVisible = visibleCondition && scope.countsHiddenPoints ? visibleCondition : alwaysTrue;
  const isSelected = scope.players ? [expression`player_id = any(${parameter(scope.players)})`] : [];
  const shownCondition = expression`where ${allOf([expression`is_shown`, ...isSelected])}`;
  const rankingRows = await sql.rows(
    ...readingSql(
      expression`with played as (
       select id, player_id, player_name, tournament_id, cancels_out_tournament_id, points, played_at, is_ignored, ${isVisible} as is_visible
       from ${points} r where r.player_id is not null and ${conditions}
     ), canceling as (
       select player_id, tournament_id, cancels_out_tournament_id from played
       where not is_ignored and cancels_out_tournament_id is not null and cancels_out_tournament_id is distinct from tournament_id
     ), canceled as (
       select distinct player_id, cancels_out_tournament_id as tournament_id from canceling
     ), chain_members as (
       select distinct player_id from canceling join canceled using (player_id, tournament_id)
     ), cancellations as (
       select player_id, canceled_points(array_agg(id order by ${latestFirst}), array_agg(tournament_id order by ${latestFirst}),
         array_agg(cancels_out_tournament_id order by ${latestFirst})) as canceled_ids
       from played join chain_members using (player_id) where not is_ignored group by player_id
     ), checked_points as (
       select played.*,
         is_ignored or (case when cancellations.player_id is null then canceled.player_id is not null else played.id = any(cancellations.canceled_ids) end) as is_dropped
       from played left join canceled using (player_id, tournament_id) left join cancellations using (player_id)
     ), totals as (
       select player_id, coalesce(sum(points::numeric) filter (where not is_dropped), 0) as points,
         bool_or(is_visible) filter (where not is_dropped) as is_shown, bool_or(is_dropped) as is_adjusted, count(distinct tournament_id)::int as tournaments_played
       from checked_points group by player_id having not bool_and(is_dropped)
     ), ranked as (
       select *, rank() over best::int as rank,
         coalesce(points = lag(points) over best or points = lead(points) over best, false) as is_tied
       from totals window best as (order by points desc)
     ), ends as (
       select n as total, least(n, coalesce(${until}::int, n)) as until from (select count(*)::int as n from ranked ${shownCondition}) counted
     ), part as (
       select total, case when ${isBackward}::boolean then greatest(${from}::int, until - ${size}::int) else ${from}::int end as start,
         case when ${isBackward}::boolean then until else least(until, ${from}::bigint + ${size}::int)::int end as until from ends
     ), page as (
       select * from ranked ${shownCondition} order by rank, player_id
       limit greatest(0, (select until - start from part)) offset (select start from part)
     ), results as (
       select player_id,
         coalesce(array_agg(id order by points desc nulls last, id) filter (where not is_dropped), '{}') as counted,
         coalesce(array_agg(id order by points desc nulls last, id) filter (where is_dropped), '{}') as dropped,
         (array_agg(player_name order by played_at desc, id) filter (where player_name <> ''))[1] as player_name
       from checked_points where player_id in (select player_id from page) group by player_id
     )
     select part.total, part.start, shown.* from part left join (
       select r.player_id as "playerId", r.rank, greatest(-${maxDouble}, least(r.points, ${maxDouble}))::float8 as points, r.is_tied as "isTied", r.is_adjusted as "isAdjusted",
         r.tournaments_played as "tournamentsPlayed", results.counted as "countedIds", results.dropped as "droppedIds", u.gender,
         coalesce(results.player_name, nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), '')) as "playerName",
         date_part('year', age(${currentTimestamp} at time zone 'utc', u.date_of_birth at time zone 'utc'))::int as age
       from page r join results using (player_id) left join ${users} u on u.id = r.player_id
     ) shown on true order by shown.rank, shown."playerId"`,
    ),
    pageShape,
  );
  const { start = 0, total = 0 } = rankingRows[0] ?? {};
  const players = rankingRows.filter(({ playerId }) => playerId !== null);
  const ranking = [scope.division ?? 'ALL', scope.name, scope.gender ?? 'ALL'].join('/');
  const rows = checkedRows(players, playerShape).map((row) => ({
    ...row,
    id: `${ranking}/${row.playerId}`,
    division: scope.division,
  }));
  return { rows, start, total };
}
