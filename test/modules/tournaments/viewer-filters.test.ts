import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  ben = await app.person();
  const dates: Record<string, object> = {
    announced: {},
    open: { registrationOpensAt: instantAt(-1), startsAt: instantAt(100) },
    closed: { registrationClosesAt: instantAt(-1), startsAt: instantAt(100) },
    playing: { startsAt: instantAt(-1), endsAt: instantAt(1) },
    over: { startsAt: instantAt(-9), endsAt: instantAt(-8) },
    cancelled: { isCanceled: true },
  };
  const run = async (query: string, variables: object, tokens?: Tokens) =>
    expect(await app.graphql(query, { ...variables }, tokens)).not.toHaveProperty('errors');
  for (const [id, input] of Object.entries(dates))
    await run('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: { id, ...input } });
  await run('mutation { upsertLeague(input: { id: "league" }) { id } }', {});
  await app.sql.rows(`insert into club (id) values ('club'), ('other')`);
  for (const [owner, id] of [
    [ana, 'game'],
    [ben, 'other'],
  ] as const)
    await app.sql.rows(
      'insert into game (id, owner_id, court_id, types_singles, starts_at, day) values ($1, $2, $1, $3, $4, $5)',
      [
        id,
        owner.id,
        id === 'game',
        id === 'game' ? '2030-05-01T10:00:00Z' : null,
        id === 'game' ? '2030-06-01T00:00:00Z' : '2030-05-01T00:00:00Z',
      ],
    );
  const favorites = { TOURNAMENT: 'open', LEAGUE: 'league', CLUB: 'club', GAME: 'game', COURT: 'other' };
  for (const [kind, id] of Object.entries(favorites))
    await run(`mutation { addFavorite(kind: ${kind}, subjectId: "${id}") { id } }`, {}, { user: ana.user });
  await run(
    `mutation {
      createRegistration(input: { id: "entry", tournamentId: "playing", userId: "${ana.id}" }) { id }
      createEventRegistration(input: { registrationId: "entry", eventId: "singles", userId: "${ana.id}" }) { id }
    }`,
    {},
  );
  await run('mutation { a: upsertEvent(input: { id: "singles" }) { id } b: upsertEvent(input: { id: "mixed" }) { id } }', {});
});
afterAll(() => app.close());

const find = async (many: string, filter: string, tokens: Tokens = app.platform) => {
  const answer = await app.graphql(`{ ${many}(filter: ${filter}, orderBy: [{ field: ID }]) { nodes { id } } }`, {}, tokens);
  return answer[many]?.nodes.map(({ id }: { id: string }) => id) ?? answer.errors;
};

test.each<[string, string[]]>([
  ['eq: PLAYING', ['playing']],
  ['eq: REGISTERING', ['open']],
  ['eq: CANCELED', ['cancelled']],
  ['in: [PLAYING, REGISTERING]', ['open', 'playing']],
  ['in: [PLAYING, OVER, CLOSED]', ['closed', 'over', 'playing']],
  ['ne: ANNOUNCED', ['cancelled', 'closed', 'open', 'over', 'playing']],
  ['in: []', []],
  ['isNull: true', []],
])('tournaments are filtered by phase { %s }', async (phase, ids) =>
  expect(await find('tournaments', `{ phase: { ${phase} } }`)).toEqual(ids),
);

test.each<[string, string, string[], string[]]>([
  ['tournaments', 'isViewerFavorite', ['open'], ['announced', 'cancelled', 'closed', 'over', 'playing']],
  ['leagues', 'isViewerFavorite', ['league'], []],
  ['clubs', 'isViewerFavorite', ['club'], ['other']],
  ['games', 'isViewerFavorite', ['game'], ['other']],
  ['games', 'isAtFavoriteCourt', ['other'], ['game']],
  ['tournaments', 'isViewerRegistered', ['playing'], ['announced', 'cancelled', 'closed', 'open', 'over']],
  ['events', 'isViewerRegistered', ['singles'], ['mixed']],
])('%s are filtered by %s for the viewer', async (many, filter, marked, unmarked) => {
  const filtered = async (tokens: Tokens) => ({
    true: await find(many, `{ ${filter}: true }`, tokens),
    false: await find(many, `{ ${filter}: false }`, tokens),
  });
  const all = [...marked, ...unmarked].toSorted();
  expect({
    viewer: await filtered({ user: ana.user }),
    anotherUser: await filtered({ user: ben.user }),
    platform: await filtered(app.platform),
  }).toEqual({
    viewer: { true: marked, false: unmarked },
    anotherUser: { true: [], false: all },
    platform: { true: [], false: all },
  });
});

test.each<[string, string[]]>([
  ['beginsAt: { gte: "2030-05-01T00:00:00Z", lte: "2030-05-01T23:59:59Z" }', ['game', 'other']],
  ['beginsAt: { gt: "2030-05-01T00:00:00Z" }', ['game']],
  ['beginsAt: {}', ['game', 'other']],
  ['types: { has: SINGLES }', ['game']],
  ['types: { hasAny: [DOUBLES, SINGLES] }', ['game']],
  ['types: { hasAny: [DOUBLES] }', []],
])('games are filtered by %s', async (filter, ids) => expect(await find('games', `{ ${filter} }`)).toEqual(ids));

test('filters on computed fields reject null, with the path of the value', async () => {
  const rejection = (...paths: string[]) => [
    `BAD_INPUT: ${paths.map((path) => `${path}: expected a value (use isNull to match unset values)`).join('; ')}`,
  ];
  expect({
    games: await find('games', '{ or: [{ beginsAt: { gte: null } }], types: { hasAny: null } }'),
    tournaments: await find('tournaments', '{ phase: { eq: null } }'),
  }).toEqual({
    games: rejection('filter.types.hasAny', 'filter.or[0].beginsAt.gte'),
    tournaments: rejection('filter.phase.eq'),
  });
});
