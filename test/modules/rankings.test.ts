import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(() => app.sql.rows('truncate ranking_points'));

const mutation =
  'mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { playerId eventId points division } }';
const started = Date.now();
const daysAgo = (days: number) => new Date(started - days * 86_400_000).toISOString();
const add = (playerId: string, points: number, more: object = {}) =>
  app.graphql(mutation, {
    input: {
      playerId,
      eventId: `${playerId}-${points}`,
      tournamentId: 'open',
      eventTitle: "Men's Singles",
      eventDate: daysAgo(10),
      points,
      ...more,
    },
  });
const ranking = async (args = '', fields = 'playerId rank points isTied isAdjusted tournamentsPlayed') =>
  (await app.graphql(`{ rankings${args} { totalCount nodes { ${fields} } } }`)).rankings;

describe('a ranking', () => {
  test('adds up, shares ranks between equal points and skips the next', async () => {
    await add('ana', 30);
    await add('ana', 20, { tournamentId: 'cup' });
    await add('ben', 50);
    await add('cleo', 50.5);
    await add('dan', 0.1);
    const place = { isTied: false, isAdjusted: false, tournamentsPlayed: 1 };
    expect(await ranking()).toEqual({
      totalCount: 4,
      nodes: [
        { ...place, playerId: 'cleo', rank: 1, points: 50.5 },
        { ...place, playerId: 'ana', rank: 2, points: 50, isTied: true, tournamentsPlayed: 2 },
        { ...place, playerId: 'ben', rank: 2, points: 50, isTied: true },
        { ...place, playerId: 'dan', rank: 4, points: 0.1 },
      ],
    });
  });

  test('leaves out what is ignored and what newer points cancel out, and says so', async () => {
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

  test('has no place for who has no points that count', async () => {
    await add('ana', 10, { isIgnored: true });
    await add('ben', 0);
    expect(await ranking('', 'playerId')).toEqual({ totalCount: 1, nodes: [{ playerId: 'ben' }] });
  });

  test('survives points that add up to more than a number holds', async () => {
    await add('ana', 1.7e308);
    await add('ana', 1.6e308);
    expect((await ranking('', 'points')).nodes).toEqual([{ points: Number.MAX_VALUE }]);
  });

  test('is of one division, one year, or the time since a moment', async () => {
    await add('ana', 1, { eventTitle: "Women's Doubles 5.0", eventDate: '2024-12-31T23:59:59.999Z' });
    await add('ben', 2, { eventDate: '2025-01-01T00:00:00Z' });
    await add('cleo', 3, { eventDate: daysAgo(365) });
    await add('dan', 4, { eventDate: daysAgo(363) });
    const players = async (args: string) => (await ranking(args)).nodes.map(({ playerId }: { playerId: string }) => playerId);
    expect({
      year: await players('(race: 2024)'),
      next: (await players('(race: 2025)')).includes('ana'),
      weeks: await players(''),
      since: await players('(since: "2025-01-01T00:00:00Z", division: WOMENS_DOUBLES)'),
      division: await players('(since: "2024-01-01T00:00:00Z", division: WOMENS_DOUBLES)'),
    }).toEqual({ year: ['ana'], next: false, weeks: ['dan'], since: [], division: ['ana'] });
  });

  test('shows its players with their results, tournaments and events, and takes no more statements for more players', async () => {
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

  test('is read page by page, by cursors of its own only', async () => {
    for (const points of [5, 4, 3]) await add(`player-${points}`, points);
    const page = (args: string) =>
      app.graphql(`{ rankings(${args}) { nodes { rank } pageInfo { hasNextPage hasPreviousPage endCursor } } }`);
    const { pageInfo } = (await page('first: 2')).rankings;
    expect([
      (await page(`first: 2, after: "${pageInfo.endCursor}"`)).rankings,
      (await page(`race: 2024, after: "${pageInfo.endCursor}"`)).errors,
    ]).toEqual([
      { nodes: [{ rank: 3 }], pageInfo: { hasNextPage: false, hasPreviousPage: true, endCursor: expect.any(String) } },
      ['BAD_INPUT: after: expected a cursor of this ranking'],
    ]);
  });

  test('is read from its end, too', async () => {
    for (const points of [5, 4, 3, 2, 1]) await add(`player-${points}`, points);
    const page = async (args: string) => {
      const { rankings } = await app.graphql(
        `{ rankings(${args}) { nodes { rank } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      );
      const { hasPreviousPage, hasNextPage } = rankings.pageInfo;
      const ranks = rankings.nodes.map(({ rank }: { rank: number }) => rank).join('');
      return { shown: `${hasPreviousPage ? '<' : ''}${ranks}${hasNextPage ? '>' : ''}`, ...rankings.pageInfo };
    };
    const end = await page('last: 2');
    const middle = await page(`last: 2, before: "${end.startCursor}"`);
    expect([
      end.shown,
      middle.shown,
      (await page(`before: "${middle.startCursor}"`)).shown,
      (await page(`first: 1, after: "${middle.startCursor}", before: "${end.startCursor}"`)).shown,
      (await page(`first: 9, before: "${end.startCursor}"`)).shown,
      (await page(`last: 2, after: "${end.startCursor}"`)).shown,
      (await page(`last: 2, before: "${(await page('first: 1')).startCursor}"`)).shown,
    ]).toEqual(['<45', '<23>', '1>', '<3>', '123>', '<5', '>']);
  });

  test('shows results page by page, from both ends', async () => {
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

test('concurrent upserts for one player and event end in one record', async () => {
  const input = { playerId: 'ana', eventId: 'event', eventTitle: 'Mixed Doubles' };
  const answers = await Promise.all([1, 2, 3, 4, 5].map((points) => app.graphql(mutation, { input: { ...input, points } })));
  const rows = await app.sql.rows('select player_id, division from ranking_points');
  expect([answers.filter(({ errors }) => errors), rows]).toEqual([[], [{ player_id: 'ana', division: 'MIXED_DOUBLES' }]]);
});

test('points need a player and an event, and rankings arguments that go together', async () => {
  const errors = async (query: string, variables = {}) => (await app.graphql(query, variables)).errors;
  expect([
    await errors(mutation, { input: { eventId: 'event', points: 1 } }),
    await errors('{ rankings(race: 2024, since: "2024-01-01T00:00:00Z") { totalCount } }'),
    await errors('{ rankings(division: MENS_DOUBLES, gender: M) { totalCount } }'),
    await errors('{ rankings(race: 20240) { totalCount } }'),
    await errors('{ rankings(first: 101) { totalCount } }'),
  ]).toEqual([
    ['BAD_INPUT: input.playerId: expected the id of a player'],
    ['BAD_INPUT: race: expected a year alone, or a start alone, not both'],
    ['BAD_INPUT: gender: expected no value, unless the division is that of mixed doubles'],
    ['BAD_INPUT: race: expected a year from 1900 to 9998'],
    ['BAD_INPUT: first: expected an integer from 0 to 100'],
  ]);
});
