import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rankPlayers } from '../../src/modules/rankings/rank-players-sql.js';
import { windowOf } from '../../src/modules/rankings/ranking-window.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What decides whether points count. */
interface Result {
  id: string;
  player: string;
  tournament: string | null;
  day: number;
  points: number;
  cancels: string | null;
  ignored: boolean;
}

/** The ranking of 2025 of points that are these alone. */
async function rank(results: readonly Result[]) {
  await app.sql.rows('truncate ranking_points');
  await app.sql.rows(
    `insert into ranking_points (id, player_id, event_id, tournament_id, points, cancels_out_tournament_id, is_ignored, event_date)
     select r->>'id', r->>'player', r->>'id', r->>'tournament', (r->>'points')::float8, r->>'cancels', (r->>'ignored')::boolean,
       make_timestamptz(2025, 6, (r->>'day')::int, 0, 0, 0)
     from jsonb_array_elements($1) r`,
    [JSON.stringify(results)],
  );
  return rankPlayers(
    app.sql,
    { ...windowOf(2025, null, new Date()), division: null, gender: null },
    { size: 100, from: 0, until: null, isBackward: false },
  );
}

/** Points of one player: `b 3 X>Y` is the record b of 3 June in the tournament X, which cancels out Y; a star behind it: it is ignored. */
test.for<[title: string, results: string[], counted: string]>([
  ['who is cancelled by points that count does not', ['a 1 X', 'b 2 Y>X'], 'b'],
  ['who is cancelled by points that are cancelled counts', ['a 1 X', 'b 2 Y>X', 'c 3 Z>Y'], 'a c'],
  ['and so on', ['a 1 W', 'b 2 X>W', 'c 3 Y>X', 'd 4 Z>Y'], 'b d'],
  ['also where earlier points cancel later ones', ['a 4 W', 'b 3 X>W', 'c 2 Y>X', 'd 1 Z>Y'], 'b d'],
  ['ignored points cancel nothing', ['a 1 X', 'b 2 Y>X*'], 'a'],
  ['ignored points break a chain', ['a 1 X', 'b 2 Y>X', 'c 3 Z>Y*'], 'b'],
  ['all points of a tournament are cancelled, whatever they cancel', ['a 1 X', 'b 1 X>W', 'c 2 Y>X', 'd 1 W'], 'c d'],
  ['of two that cancel each other the later counts', ['a 1 X>Y', 'b 2 Y>X'], 'b'],
  ['however they are called', ['b 1 X>Y', 'a 2 Y>X'], 'a'],
  ['of the same moment the one with the greater id', ['a 1 X>Y', 'b 1 Y>X', 'c 1 W>V', 'B 1 V>W'], 'b c'],
  ['who is cancelled from outside wins nothing', ['a 1 X>Y', 'b 2 Y>X', 'c 1 Z>Y'], 'a c'],
  ['what hangs on two that cancel each other follows', ['a 1 X>Y', 'b 2 Y>X', 'c 3 X', 'd 3 Z>W', 'e 1 W>Z'], 'b d'],
  ['in a circle of four every other one counts', ['a 4 W>X', 'b 1 X>Y', 'c 2 Y>Z', 'd 3 Z>W'], 'a c'],
  [
    'in a circle of three the latest counts, and whoever is cancelled by nothing that counts',
    ['a 1 X>Y', 'b 2 Y>Z', 'c 3 Z>X'],
    'b c',
  ],
  ['a circle that another one decides is no tie', ['a 2 P>Q', 'm 2 P>R', 'b 1 Q>P', 'd 4 R>S', 'e 3 S>R'], 'a e m'],
  ['two circles that share a tournament are one', ['a 1 X>Y', 'b 2 Y>X', 'c 3 Y>Z', 'd 4 Z>Y'], 'a d'],
  ['points without a tournament are never cancelled, and cancel', ['a 1 ->X', 'b 2 X'], 'a'],
  ['nothing cancels its own tournament', ['a 1 X>X', 'b 2 X>X'], 'a b'],
])('%s: %o', async ([, results, counted]) => {
  const read = results.map((text): Result => {
    const [, id = '', day, tournament = '', cancels = null, star] = /^(\w+) (\d) (\w|-)(?:>(\w))?(\*)?$/.exec(text) ?? [];
    return {
      id,
      player: 'ana',
      tournament: tournament === '-' ? null : tournament,
      day: Number(day),
      points: 1,
      cancels,
      ignored: star === '*',
    };
  });
  const { rows } = await rank(read);
  expect(rows.map(({ countedIds }) => [...(countedIds as string[])].toSorted().join(' '))).toEqual([counted]);
});

const isLater = (one: Result, other: Result) => one.day > other.day || (one.day === other.day && one.id > other.id);

/** The points of one player that count, found by the rule's own words: each record looks at those that cancel it. */
function counting(own: readonly Result[]): Set<Result> {
  const undecided = new Set(own.filter(({ ignored }) => !ignored));
  const counts = new Set<Result>();
  const cancels = (one: Result, other: Result) =>
    one.cancels !== null && one.cancels === other.tournament && one.cancels !== one.tournament;
  const reaches = (one: Result, other: Result, seen = new Set<Result>()): boolean =>
    [...undecided].some((next) => {
      if (!cancels(one, next) || seen.has(next)) return false;
      seen.add(next);
      return next === other || reaches(next, other, seen);
    });
  while (undecided.size) {
    const all = [...undecided];
    const cancelled = all.find((one) => [...counts].some((other) => cancels(other, one)));
    const free = all.find((one) => !all.some((other) => cancels(other, one)));
    const inCircles = all.filter(
      (one) => reaches(one, one) && all.every((other) => !reaches(other, one) || other === one || reaches(one, other)),
    );
    const next = cancelled ?? free ?? inCircles.reduce((one, other) => (isLater(one, other) ? one : other));
    undecided.delete(next);
    if (next !== cancelled) counts.add(next);
  }
  return counts;
}

function naively(results: readonly Result[]) {
  const players = [...new Set(results.map(({ player }) => player))].map((player) => {
    const own = results.filter((result) => result.player === player);
    const counted = counting(own);
    const points = [...counted].reduce((sum, result) => sum + result.points, 0);
    return {
      playerId: player,
      points,
      isAdjusted: counted.size < own.length,
      tournamentsPlayed: new Set(own.flatMap(({ tournament }) => tournament ?? [])).size,
      hasPlace: counted.size > 0,
    };
  });
  const placed = players.filter(({ hasPlace }) => hasPlace).map(({ hasPlace, ...player }) => player);
  return placed
    .map((one) => ({
      ...one,
      rank: 1 + placed.filter((other) => other.points > one.points).length,
      isTied: placed.some((other) => other !== one && other.points === one.points),
    }))
    .sort((one, other) => one.rank - other.rank || (one.playerId < other.playerId ? -1 : 1));
}

test('ranks are those of a naive reckoning, whatever the points, and whatever they cancel', async () => {
  const one = fc.constantFrom('a', 'b', 'c', 'd');
  const tournament = fc.constantFrom('t1', 't2', 't3', 't4', 't5');
  const result = fc.record({
    player: fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, one),
    tournament: fc.option(tournament, { freq: 9 }),
    day: fc.integer({ min: 1, max: 3 }),
    points: fc.integer({ min: 0, max: 12 }).map((quarters) => quarters / 4),
    cancels: fc.option(tournament, { freq: 4 }),
    ignored: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(result, { maxLength: 14 }), async (drawn) => {
      const results = drawn.map((values, index) => ({ ...values, id: String.fromCharCode(97 + ((index * 5) % 14)) }));
      const { rows, total } = await rank(results);
      const shown = rows.map(({ playerId, points, isAdjusted, tournamentsPlayed, rank, isTied }) => ({
        playerId,
        points,
        isAdjusted,
        tournamentsPlayed,
        rank,
        isTied,
      }));
      const expected = naively(results);
      expect({ shown, total }).toEqual({ shown: expected, total: expected.length });
    }),
    { numRuns: 200 },
  );
});
