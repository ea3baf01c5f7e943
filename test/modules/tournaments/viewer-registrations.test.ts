import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  const write = (mutation: string) => app.graphql(`mutation { ${mutation} { id } }`);
  for (const id of ['open', 'cup', 'masters']) {
    await write(`upsertTournament(input: { id: "${id}", title: "${id}", startsAt: "2040-01-01T00:00:00Z" })`);
    await write(`upsertEvent(input: { id: "${id}-mixed", tournamentId: "${id}", title: "Mixed Doubles" })`);
  }
  await write(`upsertRegistration(input: { id: "r1", tournamentId: "open", userId: "${ana.id}" })`);
  await write(`upsertRegistration(input: { id: "r2", tournamentId: "cup", userId: "${ben.id}" })`);
  await write(`upsertEventRegistration(input: { id: "e1", registrationId: "r1", eventId: "open-mixed", userId: "${ana.id}" })`);
  const team = (id: string, tournamentId: string, players: string) =>
    write(`upsertTeam(input: { id: "${id}", tournamentId: "${tournamentId}", eventId: "${tournamentId}-mixed", ${players} })`);
  await team('both', 'open', `playerOneId: "${ben.id}", playerTwoId: "${ana.id}"`);
  await team('bens', 'cup', `playerOneId: "${ben.id}"`);
  await app.sql.rows(
    `insert into game (id, owner_id, player_ids, waiting_ids, invited_ids) values ('g1', $2, array[$1], '{}', '{}'), ('g2', $2, '{}', array[$1], array[$1]), ('g3', $2, '{}', '{}', '{}')`,
    [ana.id, ben.id],
  );
});
afterAll(() => app.close());

const asUser = ({ user }: Person) => ({ user });
const tournaments = `{ tournaments(orderBy: [{ field: ID }]) { nodes { id isViewerRegistered viewerTeams { id isViewerPlaying playerOne { firstName } } events { nodes { isViewerRegistered viewerTeam { id isViewerPlaying } } } } } }`;

describe('viewer fields of tournaments and events', () => {
  test('return whether the viewer is registered, and the teams in which they play', async () => {
    const viewerFields = async (tokens: Tokens) =>
      (await app.graphql(tournaments, {}, tokens)).tournaments.nodes.map(
        ({ events, ...tournament }: { events: { nodes: object[] } }) => ({ ...tournament, event: events.nodes[0] }),
      );
    const none = { isViewerRegistered: false, viewerTeams: [], event: { isViewerRegistered: false, viewerTeam: null } };
    const both = { id: 'both', isViewerPlaying: true };
    const openTeams = [{ ...both, playerOne: { firstName: 'Ben' } }];
    const bensTeam = { id: 'bens', isViewerPlaying: true };
    expect({
      ana: await viewerFields(asUser(ana)),
      ben: await viewerFields(asUser(ben)),
      platform: await viewerFields(app.platform),
    }).toEqual({
      ana: [
        { id: 'cup', ...none },
        { id: 'masters', ...none },
        { id: 'open', isViewerRegistered: true, viewerTeams: openTeams, event: { isViewerRegistered: true, viewerTeam: both } },
      ],
      ben: [
        {
          id: 'cup',
          isViewerRegistered: true,
          viewerTeams: [{ ...bensTeam, playerOne: { firstName: 'Ben' } }],
          event: { isViewerRegistered: false, viewerTeam: bensTeam },
        },
        { id: 'masters', ...none },
        { id: 'open', isViewerRegistered: false, viewerTeams: openTeams, event: { isViewerRegistered: false, viewerTeam: both } },
      ],
      platform: ['cup', 'masters', 'open'].map((id) => ({ id, ...none })),
    });
  });

  test('take one statement each for all rows, and none without a signed-in user', async () => {
    const statementCount = (tokens: Tokens) => statementsOf(app, () => app.graphql(tournaments, {}, tokens));
    // With a user, the statements load tournaments, their events, registrations, entries, teams of tournaments, their players, and teams of events.
    expect({ platform: await statementCount(app.platform), user: await statementCount(asUser(ana)) }).toEqual({
      platform: 2,
      user: 7,
    });
  });
});

test('games return whether the viewer plays, waits or is invited, and teams whether the viewer plays', async () => {
  const query =
    '{ games(orderBy: [{ field: ID }]) { nodes { isViewerPlaying isViewerWaiting isViewerInvited } } teams(orderBy: [{ field: ID }]) { nodes { isViewerPlaying } } }';
  const { games, teams } = await app.graphql(query, {}, asUser(ana));
  const { games: gamesOfBen } = await app.graphql(query, {}, asUser(ben));
  const noParticipation = { isViewerPlaying: false, isViewerWaiting: false, isViewerInvited: false };
  expect({ games: games.nodes, teams: teams.nodes, gamesOfBen: gamesOfBen.nodes }).toEqual({
    games: [
      { ...noParticipation, isViewerPlaying: true },
      { ...noParticipation, isViewerWaiting: true, isViewerInvited: true },
      noParticipation,
    ],
    teams: [{ isViewerPlaying: false }, { isViewerPlaying: true }],
    gamesOfBen: [noParticipation, noParticipation, noParticipation],
  });
});

test('the number of unread notifications is visible to their reader and platforms, not to other users', async () => {
  for (const [id, readAt] of [
    ['n1', null],
    ['n2', '2026-01-01T00:00:00Z'],
    ['n3', null],
  ])
    await app.sql.rows(
      `insert into notification (id, user_id, event, content, read_at) values ($1, $2, 'GAME_CHANGED', 'text', $3)`,
      [id, ana.id, readAt],
    );
  const unreadCount = async (tokens: Tokens) =>
    (await app.graphql(`{ user(id: "${ana.id}") { unreadNotificationCount } }`, {}, tokens)).user.unreadNotificationCount;
  expect({
    reader: await unreadCount(asUser(ana)),
    platform: await unreadCount(app.platform),
    anotherUser: await unreadCount(asUser(ben)),
  }).toEqual({ reader: 2, platform: 2, anotherUser: null });
});

describe('rankings', () => {
  const addPoints = (player: Person, title: string, points: number, playedAt = '2041-05-01T00:00:00Z') =>
    app.graphql('mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { division } }', {
      input: {
        playerId: player.id,
        eventId: `${player.id} ${title} ${points}`,
        tournamentId: 'open',
        eventTitle: title,
        playedAt,
        points,
      },
    });

  beforeAll(async () => {
    await addPoints(ana, 'Mixed Doubles', 50);
    await addPoints(ana, "Women's Singles", 10);
    await addPoints(ben, 'Mixed Doubles', 70);
    await addPoints(ben, 'Mixed Doubles', 5, '2042-05-01T00:00:00Z');
  });

  test('of one player return the rank among all players', async () => {
    const fields = '{ totalCount nodes { playerId rank points division } pageInfo { hasNextPage } }';
    const { overall, unknownPlayer, mixedDoubles } = await app.graphql(
      `{ overall: rankings(year: 2041, playerId: "${ana.id}") ${fields} unknownPlayer: rankings(year: 2041, playerId: "x") ${fields} mixedDoubles: rankings(year: 2041, division: MIXED_DOUBLES, playerId: "${ana.id}") ${fields} }`,
    );
    const pageInfo = { hasNextPage: false };
    expect({ overall, unknownPlayer, mixedDoubles }).toEqual({
      overall: { totalCount: 1, nodes: [{ playerId: ana.id, rank: 2, points: 60, division: null }], pageInfo },
      unknownPlayer: { totalCount: 0, nodes: [], pageInfo },
      mixedDoubles: {
        totalCount: 1,
        nodes: [{ playerId: ana.id, rank: 2, points: 50, division: 'MIXED_DOUBLES' }],
        pageInfo,
      },
    });
  });

  test('of a user include each division in which the user has points', async () => {
    const fields = 'division rank points results { nodes { eventTitle } }';
    const { viewer } = await app.graphql(
      `{ viewer { all: rankings(year: 2041) { ${fields} } some: rankings(year: 2041, divisions: [MIXED_DOUBLES, MENS_SINGLES]) { division rank } none: rankings(year: 1999) { rank } } }`,
      {},
      asUser(ana),
    );
    expect(viewer).toEqual({
      all: [
        {
          division: null,
          rank: 2,
          points: 60,
          results: { nodes: [{ eventTitle: 'Mixed Doubles' }, { eventTitle: "Women's Singles" }] },
        },
        { division: 'WOMENS_SINGLES', rank: 1, points: 10, results: { nodes: [{ eventTitle: "Women's Singles" }] } },
        { division: 'MIXED_DOUBLES', rank: 2, points: 50, results: { nodes: [{ eventTitle: 'Mixed Doubles' }] } },
      ],
      some: [{ division: 'MIXED_DOUBLES', rank: 2 }],
      none: [],
    });
  });

  test('of many users take one statement per ranking', async () => {
    const statementCount = (args: string) =>
      statementsOf(app, () => app.graphql(`{ users { nodes { id rankings${args} { rank } } } }`));
    expect({
      oneDivision: await statementCount('(year: 2041, divisions: [MIXED_DOUBLES])'),
      allDivisions: await statementCount('(year: 2041)'),
    }).toEqual({ oneDivision: 2, allDivisions: 8 });
  });

  test('are null if the year is invalid, without affecting other fields', async () => {
    const query = '{ users { nodes { id rankings(year: 1) { rank } } } }';
    const { body } = await app.rest('POST', '/graphql', app.platform, { query });
    expect(body.data.users.nodes.map(({ rankings }: { rankings: unknown }) => rankings)).toEqual([null, null]);
  });
});

test('a viewer reads all their records in one operation', async () => {
  const { viewer } = await app.graphql(
    `{ viewer { unreadNotificationCount registrations { nodes { tournament { title } viewerCan { update delete } } } teams { nodes { id } } games { nodes { id } } awaitedGames { nodes { id } } scheduledGames { totalCount } rankings(year: 2041, divisions: [MIXED_DOUBLES]) { rank } pendingApprovals { totalCount } viewerCan { update delete } } }`,
    {},
    asUser(ana),
  );
  expect(viewer).toEqual({
    unreadNotificationCount: 2,
    registrations: { nodes: [{ tournament: { title: 'open' }, viewerCan: { update: true, delete: true } }] },
    teams: { nodes: [{ id: 'both' }] },
    games: { nodes: [{ id: 'g1' }] },
    awaitedGames: { nodes: [{ id: 'g2' }] },
    scheduledGames: { totalCount: 0 },
    rankings: [{ rank: 2 }],
    pendingApprovals: null,
    viewerCan: { update: true, delete: false },
  });
});
