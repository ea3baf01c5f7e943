import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

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
  const team = (id: string, at: string, players: string) =>
    write(`upsertTeam(input: { id: "${id}", tournamentId: "${at}", eventId: "${at}-mixed", ${players} })`);
  await team('both', 'open', `playerOneId: "${ben.id}", playerTwoId: "${ana.id}"`);
  await team('bens', 'cup', `playerOneId: "${ben.id}"`);
  await app.sql.rows(
    `insert into game (id, owner_id, player_ids, waiting_ids, invited_ids) values ('g1', $2, array[$1], '{}', '{}'), ('g2', $2, '{}', array[$1], array[$1]), ('g3', $2, '{}', '{}', '{}')`,
    [ana.id, ben.id],
  );
});
afterAll(() => app.close());

const as = ({ user }: Person) => ({ user });
const tournaments = `{ tournaments(orderBy: [{ field: ID }]) { nodes { id isViewerRegistered viewerTeams { id isViewerPlaying playerOne { firstName } } events { nodes { isViewerRegistered viewerTeam { id isViewerPlaying } } } } } }`;

describe('tournaments and events say', () => {
  test('whether the viewer is registered, and in which team they play', async () => {
    const marks = async (tokens: Tokens) =>
      (await app.graphql(tournaments, {}, tokens)).tournaments.nodes.map(
        ({ events, ...tournament }: { events: { nodes: object[] } }) => ({ ...tournament, event: events.nodes[0] }),
      );
    const none = { isViewerRegistered: false, viewerTeams: [], event: { isViewerRegistered: false, viewerTeam: null } };
    const both = { id: 'both', isViewerPlaying: true };
    const openTeams = [{ ...both, playerOne: { firstName: 'Ben' } }];
    expect([await marks(as(ana)), await marks(as(ben)), await marks(app.platform)]).toEqual([
      [
        { id: 'cup', ...none },
        { id: 'masters', ...none },
        { id: 'open', isViewerRegistered: true, viewerTeams: openTeams, event: { isViewerRegistered: true, viewerTeam: both } },
      ],
      [
        {
          id: 'cup',
          isViewerRegistered: true,
          viewerTeams: [{ id: 'bens', isViewerPlaying: true, playerOne: { firstName: 'Ben' } }],
          event: { isViewerRegistered: false, viewerTeam: { id: 'bens', isViewerPlaying: true } },
        },
        { id: 'masters', ...none },
        { id: 'open', isViewerRegistered: false, viewerTeams: openTeams, event: { isViewerRegistered: false, viewerTeam: both } },
      ],
      ['cup', 'masters', 'open'].map((id) => ({ id, ...none })),
    ]);
  });

  test('in a statement each for all of them, and in none where nobody is signed in', async () => {
    const taken = (tokens: Tokens) => statementsOf(app, () => app.graphql(tournaments, {}, tokens));
    // Tournaments, their events, registrations, entries, teams of tournaments with their players, teams of events.
    expect([await taken(app.platform), await taken(as(ana))]).toEqual([2, 7]);
  });
});

test('games say what they are to the viewer, and teams whether the viewer plays', async () => {
  const query =
    '{ games(orderBy: [{ field: ID }]) { nodes { isViewerPlaying isViewerWaiting isViewerInvited } } teams(orderBy: [{ field: ID }]) { nodes { isViewerPlaying } } }';
  const { games, teams } = await app.graphql(query, {}, as(ana));
  const { games: others } = await app.graphql(query, {}, as(ben));
  const nothing = { isViewerPlaying: false, isViewerWaiting: false, isViewerInvited: false };
  expect([games.nodes, teams.nodes, others.nodes]).toEqual([
    [{ ...nothing, isViewerPlaying: true }, { ...nothing, isViewerWaiting: true, isViewerInvited: true }, nothing],
    [{ isViewerPlaying: false }, { isViewerPlaying: true }],
    [nothing, nothing, nothing],
  ]);
});

test('a person is told how many notifications are unread, others are not', async () => {
  for (const [id, read] of [
    ['n1', null],
    ['n2', '2026-01-01T00:00:00Z'],
    ['n3', null],
  ])
    await app.sql.rows(`insert into notification (id, user_id, event, read_at) values ($1, $2, 'GAME_CHANGED', $3)`, [
      id,
      ana.id,
      read,
    ]);
  const count = async (tokens: Tokens) =>
    (await app.graphql(`{ user(id: "${ana.id}") { unreadNotificationCount } }`, {}, tokens)).user.unreadNotificationCount;
  expect([await count(as(ana)), await count(app.platform), await count(as(ben))]).toEqual([2, 2, null]);
});

describe('rankings', () => {
  const points = (player: Person, title: string, given: number, at = '2041-05-01T00:00:00Z') =>
    app.graphql('mutation ($input: RankingPointsInput!) { upsertRankingPoints(input: $input) { division } }', {
      input: {
        playerId: player.id,
        eventId: `${player.id} ${title} ${given}`,
        tournamentId: 'open',
        eventTitle: title,
        eventDate: at,
        points: given,
      },
    });

  beforeAll(async () => {
    await points(ana, 'Mixed Doubles', 50);
    await points(ana, "Women's Singles", 10);
    await points(ben, 'Mixed Doubles', 70);
    await points(ben, 'Mixed Doubles', 5, '2042-05-01T00:00:00Z');
  });

  test('give the place of one player, which is that among all', async () => {
    const fields = '{ totalCount nodes { playerId rank points division } pageInfo { hasNextPage } }';
    const { hers, nobody, mixed } = await app.graphql(
      `{ hers: rankings(race: 2041, playerId: "${ana.id}") ${fields} nobody: rankings(race: 2041, playerId: "x") ${fields} mixed: rankings(race: 2041, division: MIXED_DOUBLES, playerId: "${ana.id}") ${fields} }`,
    );
    const pageInfo = { hasNextPage: false };
    expect([hers, nobody, mixed]).toEqual([
      { totalCount: 1, nodes: [{ playerId: ana.id, rank: 2, points: 60, division: null }], pageInfo },
      { totalCount: 0, nodes: [], pageInfo },
      { totalCount: 1, nodes: [{ playerId: ana.id, rank: 2, points: 50, division: 'MIXED_DOUBLES' }], pageInfo },
    ]);
  });

  test('are told with a person, for each division in which they have points', async () => {
    const fields = 'division rank points results { nodes { eventTitle } }';
    const { viewer } = await app.graphql(
      `{ viewer { all: rankings(race: 2041) { ${fields} } some: rankings(race: 2041, divisions: [MIXED_DOUBLES, MENS_SINGLES]) { division rank } none: rankings(race: 1999) { rank } } }`,
      {},
      as(ana),
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

  test('of many people take a statement a ranking, and a refusal is that of the field alone', async () => {
    const query = (args: string) => `{ users { nodes { id rankings${args} { rank } } } }`;
    const { body } = await app.rest('POST', '/graphql', app.platform, { query: query('(race: 1)') });
    expect([
      await statementsOf(app, () => app.graphql(query('(race: 2041, divisions: [MIXED_DOUBLES])'))),
      await statementsOf(app, () => app.graphql(query('(race: 2041)'))),
      body.data.users.nodes.map(({ rankings }: { rankings: unknown }) => rankings),
    ]).toEqual([2, 8, [null, null]]);
  });
});

test('a viewer finds all of theirs in one operation', async () => {
  const { viewer } = await app.graphql(
    `{ viewer { unreadNotificationCount registrations { nodes { tournament { title } viewerCan { update delete } } } teams { nodes { id } } games { nodes { id } } awaitedGames { nodes { id } } scheduledGames { totalCount } rankings(race: 2041, divisions: [MIXED_DOUBLES]) { rank } pendingApprovals { totalCount } viewerCan { update delete } } }`,
    {},
    as(ana),
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
