import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let key: Tokens;
let ana: Person;
let ben: Person;
let cleo: Person;

const since = '2025-01-01T00:00:00Z';
const recently = new Date(Date.now() - 86_400_000).toISOString();

/**
 * Ana has 10 points from a tournament that shows its players, and 4 points from a tournament that hides its players. She has 1 point from a
 * deleted tournament that hid its players. The 4 points cancel out 3 points from an earlier edition. Ben has only hidden points. Cleo has
 * 15 points, as many as Ana including her hidden points.
 */
beforeAll(async () => {
  app = await startApp();
  key = { platform: (await newKey(app)).key };
  [ana, ben, cleo] = [await app.person({ firstName: 'Ana' }), await app.person(), await app.person()];
  const points = [
    [ana, 'open', 10, null],
    [ana, 'secret', 4, 'before'],
    [ana, 'before', 3, null],
    [ana, 'deleted', 1, null],
    [ben, 'unlisted', 7, null],
    [cleo, 'open', 15, null],
  ] as const;
  for (const [id, tournament] of Object.entries({
    open: {},
    before: {},
    secret: { hidesPlayers: true },
    unlisted: { playerListVisibility: 'HIDDEN' },
    deleted: { hidesPlayers: true },
  })) {
    const input = { id, title: id, ...tournament };
    const answer = await app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });
    expect(answer.errors).toBeUndefined();
  }
  for (const [player, tournamentId, count, cancelsOutTournamentId] of points) {
    const input = {
      playerId: player.id,
      tournamentId,
      eventId: `${tournamentId}-event`,
      points: count,
      playedAt: recently,
      cancelsOutTournamentId,
    };
    const answer = await app.graphql('mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { id } }', {
      input,
    });
    expect(answer.errors).toBeUndefined();
  }
  await app.graphql('mutation { deleteTournament(id: "deleted") }');
});
afterAll(() => app.close());

const fields = 'playerId rank points isTied isAdjusted tournamentsPlayed';
const ranking = async (args: string, tokens: Tokens) =>
  (await app.graphql(`{ rankings${args} { totalCount nodes { ${fields} } } }`, {}, tokens)).rankings;
const place = (player: Person, rank: number, points: number, more: object = {}) => ({
  playerId: player.id,
  rank,
  points,
  isTied: false,
  isAdjusted: false,
  tournamentsPlayed: 1,
  ...more,
});
const all = () => {
  const tied = [ana, cleo].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    totalCount: 3,
    nodes: [
      ...tied.map((player) =>
        place(player, 1, 15, { isTied: true, ...(player === ana ? { isAdjusted: true, tournamentsPlayed: 4 } : {}) }),
      ),
      place(ben, 3, 7),
    ],
  };
};

describe('a ranking since a date', () => {
  const own = (args: string, tokens: Tokens) => ranking(`(since: "${since}"${args})`, tokens);

  test('does not count points of tournaments that hide their players, if the caller is a visitor', async () => {
    expect(await own('', key)).toEqual({
      totalCount: 2,
      nodes: [place(cleo, 1, 15), place(ana, 2, 13, { tournamentsPlayed: 2 })],
    });
  });

  test('counts the points of the signed-in user, but not those of other players', async () => {
    expect({ ofBen: await own('', { user: ben.user }), ofAna: await own(`, playerId: "${ana.id}"`, { user: ana.user }) }).toEqual(
      {
        ofBen: { totalCount: 3, nodes: [place(cleo, 1, 15), place(ana, 2, 13, { tournamentsPlayed: 2 }), place(ben, 3, 7)] },
        ofAna: { totalCount: 1, nodes: [place(ana, 1, 15, { isTied: true, isAdjusted: true, tournamentsPlayed: 4 })] },
      },
    );
  });

  test('counts all points for callers who see all players', async () => {
    const [referee, admin] = [await app.person({ roles: ['REFEREE'] }), await app.person({ isSuperAdmin: true })];
    expect({
      platform: await own('', app.platform),
      referee: await own('', { user: referee.user }),
      superAdmin: await own('', { user: admin.user }),
    }).toEqual({ platform: all(), referee: all(), superAdmin: all() });
  });

  test('counts the same points for a player', async () => {
    const query = `{ user(id: "${ana.id}") { rankings(since: "${since}", divisions: [OTHER]) { ${fields} } } }`;
    expect({
      visitor: (await app.graphql(query, {}, key)).user,
      player: (await app.graphql(query, {}, { user: ana.user })).user,
    }).toEqual({
      visitor: { rankings: [place(ana, 2, 13, { tournamentsPlayed: 2 })] },
      player: { rankings: [place(ana, 1, 15, { isTied: true, isAdjusted: true, tournamentsPlayed: 4 })] },
    });
  });
});

test.each([
  ['of a year', `(year: ${recently.slice(0, 4)})`],
  ['of the last 52 weeks', ''],
])('a ranking %s counts all points for all callers, and leaves out players whose points are all hidden', async (_, args) => {
  const others = { totalCount: 2, nodes: all().nodes.filter(({ playerId }) => playerId !== ben.id) };
  expect({
    visitor: await ranking(args, key),
    user: await ranking(args, { user: cleo.user }),
    player: await ranking(args, { user: ben.user }),
    platform: await ranking(args, app.platform),
  }).toEqual({ visitor: others, user: others, player: all(), platform: all() });
});

test('a player whose points are all hidden has no rankings for callers who cannot see them', async () => {
  const query = `{ user(id: "${ben.id}") { rankings(divisions: [OTHER]) { ${fields} } } rankings(playerId: "${ben.id}") { totalCount } }`;
  const read = async (tokens: Tokens) => {
    const { user, rankings } = await app.graphql(query, {}, tokens);
    return { ranks: user.rankings, totalCount: rankings.totalCount };
  };
  expect({ user: await read({ user: cleo.user }), player: await read({ user: ben.user }) }).toEqual({
    user: { ranks: [], totalCount: 0 },
    player: { ranks: [place(ben, 3, 7)], totalCount: 1 },
  });
});

test('pages of a ranking count only the players that are shown', async () => {
  const pages = async (tokens: Tokens) => {
    const query = '{ rankings(first: 2) { nodes { playerId } pageInfo { hasNextPage endCursor } } }';
    const { nodes, pageInfo } = (await app.graphql(query, {}, tokens)).rankings;
    const next = `{ rankings(after: "${pageInfo.endCursor}") { nodes { playerId } } }`;
    return { first: nodes.length, hasNextPage: pageInfo.hasNextPage, next: (await app.graphql(next, {}, tokens)).rankings.nodes };
  };
  expect({ visitor: await pages(key), player: await pages({ user: ben.user }) }).toEqual({
    visitor: { first: 2, hasNextPage: false, next: [] },
    player: { first: 2, hasNextPage: true, next: [{ playerId: ben.id }] },
  });
});

test('the results of a ranked player omit points of tournaments that hide their players', async () => {
  const list = '{ totalCount nodes { tournamentId } pageInfo { hasNextPage } }';
  const results = async (tokens: Tokens) => {
    const answer = await app.graphql(
      `{ rankings(playerId: "${ana.id}") { nodes { results(first: 2) ${list} droppedResults ${list} } } }`,
      {},
      tokens,
    );
    return answer.rankings.nodes;
  };
  const page = (totalCount: number, ids: string[], hasNextPage = false) => ({
    totalCount,
    nodes: ids.map((tournamentId) => ({ tournamentId })),
    pageInfo: { hasNextPage },
  });
  expect({ visitor: await results(key), player: await results({ user: ana.user }) }).toEqual({
    visitor: [{ results: page(1, ['open']), droppedResults: page(1, ['before']) }],
    player: [{ results: page(3, ['open', 'secret'], true), droppedResults: page(1, ['before']) }],
  });
});

test('the statistics count only points that the caller can see', async () => {
  const statsFor = async (tokens: Tokens) => (await app.graphql('{ rankingStats { players events } }', {}, tokens)).rankingStats;
  expect({ visitor: await statsFor(key), platform: await statsFor(app.platform) }).toEqual({
    visitor: { players: 2, events: 2 },
    platform: { players: 3, events: 5 },
  });
});
