import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(() => app.sql.rows('truncate ranking_points'));

const mutation =
  'mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { playerId eventId points division } }';
const startTime = Date.now();
const daysAgo = (days: number) => new Date(startTime - days * 86_400_000).toISOString();
const add = (playerId: string, points: number, input: object = {}) =>
  app.graphql(mutation, {
    input: {
      playerId,
      eventId: `${playerId}-${points}`,
      tournamentId: 'open',
      eventTitle: "Men's Singles",
      playedAt: daysAgo(10),
      points,
      ...input,
    },
  });
const ranking = async (args = '', fields = 'playerId rank points isTied isAdjusted tournamentsPlayed') =>
  (await app.graphql(`{ rankings${args} { totalCount nodes { ${fields} } } }`)).rankings;

describe('a ranking', () => {
  test('sums points, gives equal sums the same rank and skips the next rank', async () => {
    await add('ana', 30);
    await add('ana', 20, { tournamentId: 'cup' });
    await add('ben', 50);
    await add('cleo', 50.5);
    await add('dan', 0.1);
    const defaults = { isTied: false, isAdjusted: false, tournamentsPlayed: 1 };
    expect(await ranking()).toEqual({
      totalCount: 4,
      nodes: [
        { ...defaults, playerId: 'cleo', rank: 1, points: 50.5 },
        { ...defaults, playerId: 'ana', rank: 2, points: 50, isTied: true, tournamentsPlayed: 2 },
        { ...defaults, playerId: 'ben', rank: 2, points: 50, isTied: true },
        { ...defaults, playerId: 'dan', rank: 4, points: 0.1 },
      ],
    });
  });

  test('excludes ignored and canceled points, and reports them as dropped results', async () => {
    await add('ana', 10, { isIgnored: true });
    await add('ana', 100, { tournamentId: 'open-before' });
    await add('ana', 70, { tournamentId: 'open-now', cancelsOutTournamentId: 'open-before' });
    await add('ben', 40, { tournamentId: 'open-before' });
    await add('ben', 5, { tournamentId: 'open-now', cancelsOutTournamentId: 'open-before', isIgnored: true });
    expect(
      (
        await ranking(
          '',
          'playerId points isAdjusted tournamentsPlayed results { nodes { points } } droppedResults { nodes { points } }',
        )
      ).nodes,
    ).toEqual([
      {
        playerId: 'ana',
        points: 70,
        isAdjusted: true,
        tournamentsPlayed: 3,
        results: { nodes: [{ points: 70 }] },
        droppedResults: { nodes: [{ points: 100 }, { points: 10 }] },
      },
      {
        playerId: 'ben',
        points: 40,
        isAdjusted: true,
        tournamentsPlayed: 2,
        results: { nodes: [{ points: 40 }] },
        droppedResults: { nodes: [{ points: 5 }] },
      },
    ]);
  });

  test('omits players without points that count', async () => {
    await add('ana', 10, { isIgnored: true });
    await add('ben', 0);
    expect(await ranking('', 'playerId')).toEqual({ totalCount: 1, nodes: [{ playerId: 'ben' }] });
  });

  test('caps a sum at the largest finite number', async () => {
    await add('ana', 1.7e308);
    await add('ana', 1.6e308);
    expect((await ranking('', 'points')).nodes).toEqual([{ points: Number.MAX_VALUE }]);
  });

  test('covers the last 52 weeks, one year, or the time since a date, and one division on request', async () => {
    await add('ana', 1, { eventTitle: "Women's Doubles 5.0", playedAt: '2024-12-31T23:59:59.999Z' });
    await add('ben', 2, { playedAt: '2025-01-01T00:00:00Z' });
    await add('cleo', 3, { playedAt: daysAgo(365) });
    await add('dan', 4, { playedAt: daysAgo(363) });
    const players = async (args: string) => (await ranking(args)).nodes.map(({ playerId }: { playerId: string }) => playerId);
    expect({
      year2024: await players('(year: 2024)'),
      year2025IncludesAna: (await players('(year: 2025)')).includes('ana'),
      last52Weeks: await players(''),
      divisionSince2025: await players('(since: "2025-01-01T00:00:00Z", division: WOMENS_DOUBLES)'),
      divisionSince2024: await players('(since: "2024-01-01T00:00:00Z", division: WOMENS_DOUBLES)'),
    }).toEqual({
      year2024: ['ana'],
      year2025IncludesAna: false,
      last52Weeks: ['dan'],
      divisionSince2025: [],
      divisionSince2024: ['ana'],
    });
  });

  test('shows players with their results, tournaments and events in a constant number of statements', async () => {
    const { id } = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
    await app.sql.rows(
      `update app_user set date_of_birth = now() - interval '30 years 1 day', gender = 'F', city = 'Austin' where id = $1`,
      [id],
    );
    await app.sql.rows(`insert into tournament (id, title) values ('open', 'Austin Open') on conflict do nothing`);
    await app.sql.rows(`insert into tournament_event (id, title) values ('event', 'Singles') on conflict do nothing`);
    await add(id, 5, { eventId: 'event' });
    const fields = `playerName age gender player { firstName city rankingPoints { totalCount } }
      results { nodes { points tournament { title } event { title rankingPoints { totalCount } } } }`;
    expect((await ranking('', fields)).nodes).toEqual([
      {
        playerName: 'Ana Lopez',
        age: 30,
        gender: 'F',
        player: { firstName: 'Ana', city: 'Austin', rankingPoints: { totalCount: 1 } },
        results: {
          nodes: [
            { points: 5, tournament: { title: 'Austin Open' }, event: { title: 'Singles', rankingPoints: { totalCount: 1 } } },
          ],
        },
      },
    ]);
    const statements = () => statementsOf(app, () => ranking('', fields));
    const forOne = await statements();
    for (const points of [1, 2, 3]) await add((await app.person()).id, points, { eventId: 'event' });
    expect(await statements()).toBe(forOne);
  });

  test('pages forward, and rejects a cursor of another ranking', async () => {
    for (const points of [5, 4, 3]) await add(`player-${points}`, points);
    const page = (args: string) =>
      app.graphql(`{ rankings(${args}) { nodes { rank } pageInfo { hasNextPage hasPreviousPage endCursor } } }`);
    const { pageInfo } = (await page('first: 2')).rankings;
    expect({
      secondPage: (await page(`first: 2, after: "${pageInfo.endCursor}"`)).rankings,
      otherRanking: (await page(`year: 2024, after: "${pageInfo.endCursor}"`)).errors,
    }).toEqual({
      secondPage: {
        nodes: [{ rank: 3 }],
        pageInfo: { hasNextPage: false, hasPreviousPage: true, endCursor: expect.any(String) },
      },
      otherRanking: ['BAD_INPUT: after: expected a cursor of this ranking'],
    });
  });

  test('pages backward, and combines all paging arguments', async () => {
    for (const points of [5, 4, 3, 2, 1]) await add(`player-${points}`, points);
    /**
     * Returns the ranks on a page and its page info. `<` before the ranks means that there is a previous page, `>` after them a next page.
     */
    const page = async (args: string) => {
      const { rankings } = await app.graphql(
        `{ rankings(${args}) { nodes { rank } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      );
      const { hasPreviousPage, hasNextPage } = rankings.pageInfo;
      const digits = rankings.nodes.map(({ rank }: { rank: number }) => rank).join('');
      return { ranks: `${hasPreviousPage ? '<' : ''}${digits}${hasNextPage ? '>' : ''}`, ...rankings.pageInfo };
    };
    const lastPage = await page('last: 2');
    const middlePage = await page(`last: 2, before: "${lastPage.startCursor}"`);
    const firstRank = await page('first: 1');
    const ranks = async (args: string) => (await page(args)).ranks;
    expect({
      last: lastPage.ranks,
      lastBefore: middlePage.ranks,
      before: await ranks(`before: "${middlePage.startCursor}"`),
      firstAfterAndBefore: await ranks(`first: 1, after: "${middlePage.startCursor}", before: "${lastPage.startCursor}"`),
      firstBefore: await ranks(`first: 9, before: "${lastPage.startCursor}"`),
      lastAfter: await ranks(`last: 2, after: "${lastPage.startCursor}"`),
      lastBeforeFirstRank: await ranks(`last: 2, before: "${firstRank.startCursor}"`),
    }).toEqual({
      last: '<45',
      lastBefore: '<23>',
      before: '1>',
      firstAfterAndBefore: '<3>',
      firstBefore: '123>',
      lastAfter: '<5',
      lastBeforeFirstRank: '>',
    });
  });

  test('pages the results of a player from both ends', async () => {
    for (const points of [3, 1, 4, 2]) await add('ana', points, { tournamentId: `t${points}` });
    const fields = `results(last: 3) { totalCount nodes { points } pageInfo { hasPreviousPage } }
      least: results(first: 1, orderBy: [{ field: POINTS }]) { nodes { points } } droppedResults { totalCount }`;
    expect((await ranking('', fields)).nodes).toEqual([
      {
        results: { totalCount: 4, nodes: [3, 2, 1].map((points) => ({ points })), pageInfo: { hasPreviousPage: true } },
        least: { nodes: [{ points: 1 }] },
        droppedResults: { totalCount: 0 },
      },
    ]);
  });
});

test('concurrent upserts for one player and event create one record', async () => {
  const input = { playerId: 'ana', eventId: 'event', eventTitle: 'Mixed Doubles' };
  const answers = await Promise.all([1, 2, 3, 4, 5].map((points) => app.graphql(mutation, { input: { ...input, points } })));
  const rows = await app.sql.rows('select player_id, division from ranking_points');
  expect({ failed: answers.filter(({ errors }) => errors), rows }).toEqual({
    failed: [],
    rows: [{ player_id: 'ana', division: 'MIXED_DOUBLES' }],
  });
});

test('rejects points without a player', async () => {
  const { errors } = await app.graphql(mutation, { input: { eventId: 'event', points: 1 } });
  expect(errors).toEqual(['BAD_INPUT: input.playerId: expected the id of a player']);
});

test.each([
  ['year: 2024, since: "2024-01-01T00:00:00Z"', 'year: expected either a year or a start time, not both'],
  ['division: MENS_DOUBLES, gender: M', 'gender: expected no value, because the division is not MIXED_DOUBLES'],
  ['year: 20240', 'year: expected a year from 1900 to 9998'],
  ['first: 101', 'first: expected an integer from 0 to 100'],
])('rejects rankings(%s)', async (args, message) => {
  const { errors } = await app.graphql(`{ rankings(${args}) { totalCount } }`);
  expect(errors).toEqual([`BAD_INPUT: ${message}`]);
});
