import { afterAll, beforeAll, expect, test } from 'vitest';
import { upsertRecord } from '../exports/seed.js';
import { subscribe } from '../support/clients/event-stream.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let callers: Record<string, Tokens>;
let player: Person;
const tournaments = { flagged: { hidesPlayers: true }, byMode: { playerListVisibility: 'HIDDEN' }, open: {} };

/** Creates a tournament with one event, in which the player and a partner play. */
async function enter(id: string, userId: string, partnerId: string): Promise<void> {
  const eventId = `${id}-event`;
  await upsertRecord(app, 'Tournament', { id, title: id, ...tournaments[id as keyof typeof tournaments] });
  await upsertRecord(app, 'TournamentEvent', { id: eventId, tournamentId: id });
  await upsertRecord(app, 'Team', { id: `${id}-team`, tournamentId: id, eventId, playerOneId: userId, playerTwoId: partnerId });
  await upsertRecord(app, 'Registration', { id: `${id}-registration`, tournamentId: id, userId });
  await upsertRecord(app, 'EventRegistration', { id: `${id}-entry`, eventId, registrationId: `${id}-registration`, userId });
  await upsertRecord(app, 'FinalStanding', { id: `${id}-standing`, eventId, teamId: `${id}-team`, finalRanking: 1 });
  await upsertRecord(app, 'RankingPoints', { id: `${id}-points`, tournamentId: id, eventId, playerId: userId, points: 10 });
}

beforeAll(async () => {
  app = await startApp();
  player = await app.person({ firstName: 'Ana', lastName: 'Hidden' });
  const partner = await app.person({ firstName: 'Ben', lastName: 'Hidden' });
  for (const id of Object.keys(tournaments)) await enter(id, player.id, partner.id);
  callers = {
    visitor: { platform: (await newKey(app)).key },
    user: { user: (await app.person()).user },
    player: { user: player.user },
    referee: { user: (await app.person({ roles: ['REFEREE'] })).user },
    admin: { user: (await app.person({ roles: ['ADMIN'] })).user },
    platform: app.platform,
  };
});
afterAll(() => app.close());

/** Returns the IDs of the tournaments for which the text contains `<id>-found`, separated by spaces. */
const tournamentsIn = (body: unknown): string =>
  Object.keys(tournaments)
    .filter((id) => JSON.stringify(body).includes(`${id}-found`))
    .join(' ');

/** Selects one field for each tournament. Returns the IDs of the tournaments for which `isFound` accepts the value. */
async function tournamentsFound(
  tokens: Tokens,
  fieldOf: (id: string) => string,
  isFound: (value: never) => unknown,
): Promise<string> {
  const ids = Object.keys(tournaments);
  const answer = await app.graphql(`{ ${ids.map((id) => `${id}: ${fieldOf(id)}`).join(' ')} }`, {}, tokens);
  return tournamentsIn(ids.filter((id) => isFound((answer[id] ?? null) as never)).map((id) => `${id}-found`));
}

type List = { totalCount: number; nodes: unknown[] } | null;
const hasRows = (list: List) => (list?.totalCount ?? 0) > 0 || (list?.nodes.length ?? 0) > 0;
const list = (field: string, filter: string) => `${field}(filter: ${filter}) { totalCount nodes { id } }`;
const nested = (id: string, field: string) => `tournament(id: "${id}") { ${field} { totalCount nodes { id } } }`;

const ofVisitors: Record<string, [(id: string) => string, (value: never) => unknown]> = {
  teams: [(id) => list('teams', `{ tournamentId: { eq: "${id}" } }`), hasRows],
  'a team': [(id) => `team(id: "${id}-team") { playerOne { lastName } }`, Boolean],
  'teams of a tournament': [(id) => nested(id, 'teams'), (value: { teams: List } | null) => hasRows(value?.teams ?? null)],
  'players of a tournament': [
    (id) => nested(id, 'players'),
    (value: { players: List } | null) => hasRows(value?.players ?? null),
  ],
  'players of an event': [
    (id) => `event(id: "${id}-event") { players { totalCount nodes { id } } }`,
    (value: { players: List } | null) => hasRows(value?.players ?? null),
  ],
  'teams of an event': [
    (id) => `event(id: "${id}-event") { teams { totalCount nodes { id } } }`,
    (value: { teams: List } | null) => hasRows(value?.teams ?? null),
  ],
  standings: [(id) => list('finalStandings', `{ eventId: { eq: "${id}-event" } }`), hasRows],
  'standings of a tournament': [
    (id) => nested(id, 'standings'),
    (value: { standings: List } | null) => hasRows(value?.standings ?? null),
  ],
  'ranking points': [(id) => list('allRankingPoints', `{ tournamentId: { eq: "${id}" } }`), hasRows],
  'tournaments by a player': [
    (id) => list('tournaments', `{ id: { eq: "${id}" }, teams: { some: { playerOne: { lastName: { eq: "Hidden" } } } } }`),
    hasRows,
  ],
  'tournaments by players': [
    (id) => list('tournaments', `{ id: { eq: "${id}" }, players: { some: { lastName: { eq: "Hidden" } } } }`),
    hasRows,
  ],
};

const ofUsers: typeof ofVisitors = {
  registrations: [(id) => list('registrations', `{ tournamentId: { eq: "${id}" } }`), hasRows],
  entries: [(id) => list('eventRegistrations', `{ eventId: { eq: "${id}-event" } }`), hasRows],
  'an entry': [(id) => `eventRegistration(id: "${id}-entry") { user { lastName } }`, Boolean],
  'users by teams': [(id) => list('users', `{ teams: { some: { tournamentId: { eq: "${id}" } } } }`), hasRows],
};

const all = 'flagged byMode open';
const whole = { player: all, referee: all, admin: all, platform: all };

test.each(Object.entries(ofVisitors))(
  'a tournament that hides its players hides %s from visitors and other users',
  async (_, [field, isFound]) => {
    const shown: Record<string, string> = {};
    for (const [name, tokens] of Object.entries(callers)) shown[name] = await tournamentsFound(tokens, field, isFound);
    expect(shown).toEqual({ visitor: 'open', user: 'open', ...whole });
  },
);

test.each(Object.entries(ofUsers))(
  'a tournament that hides its players hides %s from other users',
  async (_, [field, isFound]) => {
    const shown: Record<string, string> = {};
    for (const name of ['user', 'player', 'referee', 'admin', 'platform'])
      shown[name] = await tournamentsFound(callers[name] ?? {}, field, isFound);
    expect(shown).toEqual({ user: 'open', ...whole });
  },
);

test('exports and /v1 lists follow the same rule', async () => {
  const shown: Record<string, unknown> = {};
  for (const name of ['visitor', 'user', 'player', 'platform']) {
    const tokens = callers[name] ?? {};
    const headers = {
      ...(tokens.platform && { 'PB-API-TOKEN': tokens.platform }),
      ...(tokens.user && { 'PB-USER-TOKEN': tokens.user }),
    };
    const body = async (path: string) => (await fetch(`${app.origin}${path}`, { headers })).text();
    const csv = await body('/exports/teams.csv?fields=id');
    const legacy = await body('/v1/data/teams?page_size=50');
    const tods = await Promise.all(Object.keys(tournaments).map((id) => body(`/tournaments/${id}.tods.json`)));
    const ids = (text: string) => Object.keys(tournaments).filter((id) => text.includes(`${id}-team`));
    shown[name] = {
      csv: ids(csv),
      legacy: name === 'user' || name === 'player' ? 'needs a platform' : ids(legacy),
      tods: Object.keys(tournaments).filter((_, index) => tods[index]?.includes('Hidden')),
    };
  }
  const every = Object.keys(tournaments);
  expect(shown).toEqual({
    visitor: { csv: ['open'], legacy: ['open'], tods: ['open'] },
    user: { csv: ['open'], legacy: 'needs a platform', tods: ['open'] },
    player: { csv: every, legacy: 'needs a platform', tods: every },
    platform: { csv: every, legacy: every, tods: every },
  });
});

test('subscribers get no teams of a tournament that hides its players', async () => {
  const subscription = (id: string) => `subscription { teams(tournamentId: "${id}") { team { id playerOne { lastName } } } }`;
  const open = (id: string) => subscribe(app, callers.visitor ?? {}, subscription(id));
  const [hidden, shown] = [await open('flagged'), await open('open')];
  const change = (id: string) => upsertRecord(app, 'Team', { id: `${id}-team`, seed: 1 });
  await change('flagged');
  await change('open');
  await shown.until(1);
  await upsertRecord(app, 'Tournament', { id: 'open', hidesPlayers: true });
  await change('open').then(() => upsertRecord(app, 'Team', { id: 'open-team', seed: 2 }));
  await upsertRecord(app, 'Tournament', { id: 'flagged', hidesPlayers: false });
  await upsertRecord(app, 'Team', { id: 'flagged-team', seed: 3 });
  const [first] = await hidden.until(1);
  expect({ hidden: hidden.events.length, shown: shown.events.length, first: first?.data?.teams }).toEqual({
    hidden: 1,
    shown: 1,
    first: { team: { id: 'flagged-team', playerOne: { lastName: 'Hidden' } } },
  });
  hidden.close();
  shown.close();
});
