import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rankPlayers } from '../../../src/modules/rankings/rank-players-sql.js';
import { windowOf } from '../../../src/modules/rankings/ranking-window.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The fields of ranking points that determine whether they count. */
interface Result {
  id: string;
  player: string;
  tournament: string | null;
  day: number;
  points: number;
  cancels: string | null;
  ignored: boolean;
}

/** Replaces all ranking points with the given results. Returns the ranking for the year 2025. */
async function rank(results: readonly Result[]) {
  await app.sql.rows('truncate ranking_points');
  await app.sql.rows(
    `insert into ranking_points (id, player_id, event_id, tournament_id, points, cancels_out_tournament_id, is_ignored, played_at)
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

/**
 * Each text describes a result of one player. `b 3 X>Y*` is the result with the ID `b`, from June 3 in tournament X.
 * It cancels the results of tournament Y. A star marks an ignored result. A dash means that there is no tournament.
 */
test.for<[title: string, results: string[], countedIds: string]>([
  ['a result that a counted result cancels does not count', ['a 1 X', 'b 2 Y>X'], 'b'],
  ['a result that a canceled result cancels counts', ['a 1 X', 'b 2 Y>X', 'c 3 Z>Y'], 'a c'],
  ['in a chain of four, every second result counts', ['a 1 W', 'b 2 X>W', 'c 3 Y>X', 'd 4 Z>Y'], 'b d'],
  ['a chain may go from earlier to later results', ['a 4 W', 'b 3 X>W', 'c 2 Y>X', 'd 1 Z>Y'], 'b d'],
  ['an ignored result cancels nothing', ['a 1 X', 'b 2 Y>X*'], 'a'],
  ['an ignored result breaks a chain', ['a 1 X', 'b 2 Y>X', 'c 3 Z>Y*'], 'b'],
  [
    'all results of a canceled tournament are canceled, with or without cancellations of their own',
    ['a 1 X', 'b 1 X>W', 'c 2 Y>X', 'd 1 W'],
    'c d',
  ],
  ['of two results that cancel each other, the later one counts', ['a 1 X>Y', 'b 2 Y>X'], 'b'],
  ['of two results that cancel each other, the later one counts, even if it has the smaller ID', ['b 1 X>Y', 'a 2 Y>X'], 'a'],
  [
    'of two results with the same time that cancel each other, the one with the greater ID counts',
    ['a 1 X>Y', 'b 1 Y>X', 'c 1 W>V', 'B 1 V>W'],
    'b c',
  ],
  ['a cycle with one result canceled from outside is decided by that cancellation', ['a 1 X>Y', 'b 2 Y>X', 'c 1 Z>Y'], 'a c'],
  [
    'a result canceled by a member of a cycle follows the decision of the cycle',
    ['a 1 X>Y', 'b 2 Y>X', 'c 3 X', 'd 3 Z>W', 'e 1 W>Z'],
    'b d',
  ],
  ['in a cycle of four, every second result counts', ['a 4 W>X', 'b 1 X>Y', 'c 2 Y>Z', 'd 3 Z>W'], 'a c'],
  [
    'in a cycle of three, the latest result counts, and so does one that no counted result cancels',
    ['a 1 X>Y', 'b 2 Y>Z', 'c 3 Z>X'],
    'b c',
  ],
  ['a cycle may be decided by a result of another cycle', ['a 2 P>Q', 'm 2 P>R', 'b 1 Q>P', 'd 4 R>S', 'e 3 S>R'], 'a e m'],
  ['two cycles that share a tournament are one cycle', ['a 1 X>Y', 'b 2 Y>X', 'c 3 Y>Z', 'd 4 Z>Y'], 'a d'],
  ['a result without a tournament cancels others and is never canceled', ['a 1 ->X', 'b 2 X'], 'a'],
  ['a result does not cancel its own tournament', ['a 1 X>X', 'b 2 X>X'], 'a b'],
])('%s: %o', async ([, notations, expectedIds]) => {
  const results = notations.map((notation): Result => {
    const [, id = '', day, tournament = '', cancels = null, star] = /^(\w+) (\d) (\w|-)(?:>(\w))?(\*)?$/.exec(notation) ?? [];
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
  const { rows } = await rank(results);
  expect(rows.map(({ countedIds }) => [...(countedIds as string[])].toSorted().join(' '))).toEqual([expectedIds]);
});

const isLater = (one: Result, other: Result) => one.day > other.day || (one.day === other.day && one.id > other.id);

/** Returns the results of one player that count. Decides one result at a time. */
function countedResults(results: readonly Result[]): Set<Result> {
  const undecided = new Set(results.filter(({ ignored }) => !ignored));
  const counts = new Set<Result>();
  const cancels = (one: Result, other: Result) =>
    one.cancels !== null && one.cancels === other.tournament && one.cancels !== one.tournament;
  const reaches = (one: Result, other: Result, visited = new Set<Result>()): boolean =>
    [...undecided].some((next) => {
      if (!cancels(one, next) || visited.has(next)) return false;
      visited.add(next);
      return next === other || reaches(next, other, visited);
    });
  while (undecided.size) {
    const all = [...undecided];
    const canceled = all.find((one) => [...counts].some((other) => cancels(other, one)));
    const uncanceled = all.find((one) => !all.some((other) => cancels(other, one)));
    // Members of cycles that no undecided result outside the cycle cancels, directly or through other results.
    const inCycles = all.filter(
      (one) => reaches(one, one) && all.every((other) => !reaches(other, one) || other === one || reaches(one, other)),
    );
    const next = canceled ?? uncanceled ?? inCycles.reduce((one, other) => (isLater(one, other) ? one : other));
    undecided.delete(next);
    if (next !== canceled) counts.add(next);
  }
  return counts;
}

/** Computes the expected ranking with a simple model. */
function modelRanking(results: readonly Result[]) {
  const players = [...new Set(results.map(({ player }) => player))].map((player) => {
    const ownResults = results.filter((result) => result.player === player);
    const counted = countedResults(ownResults);
    const points = [...counted].reduce((sum, result) => sum + result.points, 0);
    return {
      playerId: player,
      points,
      isAdjusted: counted.size < ownResults.length,
      tournamentsPlayed: new Set(ownResults.flatMap(({ tournament }) => tournament ?? [])).size,
      isRanked: counted.size > 0,
    };
  });
  const ranked = players.filter(({ isRanked }) => isRanked).map(({ isRanked, ...player }) => player);
  return ranked
    .map((one) => ({
      ...one,
      rank: 1 + ranked.filter((other) => other.points > one.points).length,
      isTied: ranked.some((other) => other !== one && other.points === one.points),
    }))
    .sort((one, other) => one.rank - other.rank || (one.playerId < other.playerId ? -1 : 1));
}

test('for generated results, the ranking equals that of a simple model', async () => {
  const player = fc.constantFrom('a', 'b', 'c', 'd');
  const tournament = fc.constantFrom('t1', 't2', 't3', 't4', 't5');
  const result = fc.record({
    player: fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, player),
    tournament: fc.option(tournament, { freq: 9 }),
    day: fc.integer({ min: 1, max: 3 }),
    points: fc.integer({ min: 0, max: 12 }).map((quarters) => quarters / 4),
    cancels: fc.option(tournament, { freq: 4 }),
    ignored: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(result, { maxLength: 14 }), async (generated) => {
      const results = generated.map((values, index) => ({ ...values, id: String.fromCharCode(97 + ((index * 5) % 14)) }));
      const { rows, total } = await rank(results);
      const ranking = rows.map(({ playerId, points, isAdjusted, tournamentsPlayed, rank, isTied }) => ({
        playerId,
        points,
        isAdjusted,
        tournamentsPlayed,
        rank,
        isTied,
      }));
      const expected = modelRanking(results);
      expect({ ranking, total }).toEqual({ ranking: expected, total: expected.length });
    }),
    { numRuns: 200 },
  );
});
