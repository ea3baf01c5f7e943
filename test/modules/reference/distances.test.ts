import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

const austin = { latitude: 30.2672, longitude: -97.7431 };
const georgetown = { latitude: 30.6333, longitude: -97.6772 };
const sydney = { latitude: -33.8688, longitude: 151.2093 };

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  ben = await app.person({ firstName: 'Ben', lastName: 'Itō' });
  const save = async (type: string, mutation: string, input: object, tokens?: Tokens) =>
    expect(
      await app.graphql(`mutation ($input: ${type}Input!) { ${mutation}(input: $input) { id } }`, { input }, tokens),
    ).not.toHaveProperty('errors');
  for (const [id, location] of Object.entries({ austin, georgetown, sydney })) {
    const input = { id, title: `Club of ${id}`, location };
    await save('Tournament', 'upsertTournament', input);
    await save('League', 'upsertLeague', input);
    await app.sql.rows('insert into club (id, title, location_latitude, location_longitude) values ($1, $2, $3, $4)', [
      id,
      input.title,
      location.latitude,
      location.longitude,
    ]);
    await save('Game', 'scheduleGame', { title: input.title, location, ownerId: ana.id, startsAt: '2035-01-01T00:00:00Z' });
  }
  await save('Tournament', 'upsertTournament', { id: 'nowhere', title: 'Nowhere' });
  await save('User', 'updateProfile', { ...georgetown, showsPlace: true }, { user: ana.user });
  await save('User', 'updateProfile', austin, { user: ben.user });
});
afterAll(() => app.close());

const near = { ...austin, distance: 100 };
/** Distances of Austin and Georgetown from `near`, in kilometers. */
const nearDistances = [0, 41];
const roundedDistances = (nodes: { distance: number | null }[]) =>
  nodes.map(({ distance }) => (distance === null ? null : Math.round(distance)));

test.each(['Tournament', 'League', 'Club', 'Game'])('a %s found by `near` shows its distance, nearest first', async (type) => {
  const many = `${type.toLowerCase()}s`;
  const query = `query ($filter: ${type}Filter) { ${many}(filter: $filter) { totalCount nodes { distance } } }`;
  const { totalCount, nodes } = (await app.graphql(query, { filter: { near } }))[many];
  expect({ totalCount, distances: roundedDistances(nodes) }).toEqual({ totalCount: 2, distances: nearDistances });
});

describe('the distance', () => {
  const find = async (filter: object | null, rest = '', fields = 'distance') => {
    const query = `query ($filter: TournamentFilter) { tournaments(filter: $filter ${rest}) { nodes { id ${fields} } pageInfo { endCursor } } }`;
    const answer = await app.graphql(query, { filter });
    return answer.tournaments ?? answer.errors;
  };

  test('is in the requested unit', async () => {
    expect(roundedDistances((await find({ near: { ...near, distance: 60, unit: 'MILES' } })).nodes)).toEqual([0, 26]);
  });

  test('is null without `near`', async () => {
    expect((await find({ id: { eq: 'austin' } })).nodes).toEqual([{ id: 'austin', distance: null }]);
    expect(await app.graphql('{ tournament(id: "austin") { distance } }')).toEqual({ tournament: { distance: null } });
  });

  test('is computed for `near` inside `and`, nearest first', async () => {
    expect(roundedDistances((await find({ and: [{ title: { contains: 'club' } }, { near }] })).nodes)).toEqual(nearDistances);
  });

  const anywhere = { near: { ...near, distance: 20_100 } };

  test('orders a list in both directions', async () => {
    const orderedIds = async (direction: string) =>
      (await find(anywhere, `orderBy: [{ field: DISTANCE, direction: ${direction} }]`)).nodes.map(({ id }: { id: string }) => id);
    expect({ ascending: await orderedIds('ASC'), descending: await orderedIds('DESC') }).toEqual({
      ascending: ['austin', 'georgetown', 'sydney'],
      descending: ['sydney', 'georgetown', 'austin'],
    });
  });

  test('orders a list across pages', async () => {
    const firstItem = 'orderBy: [{ field: DISTANCE, direction: DESC }], first: 1';
    const firstPage = await find(anywhere, firstItem);
    const secondPage = await find(anywhere, `${firstItem}, after: "${firstPage.pageInfo.endCursor}"`);
    expect(secondPage.nodes).toEqual([{ id: 'georgetown', distance: expect.closeTo(41, 0) }]);
  });

  test('is rejected as an order without `near`', async () => {
    expect(await find({ not: { near } }, 'orderBy: [{ field: ID }, { field: DISTANCE }]')).toEqual([
      'BAD_INPUT: orderBy[1].field: expected a field other than DISTANCE, which requires the filter `near`',
    ]);
  });

  test('is shown in a list of a record', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "georgetown", clubId: "austin" }) { id } }');
    const query = 'query ($near: Near!) { club(id: "austin") { tournaments(filter: { near: $near }) { nodes { distance } } } }';
    expect(roundedDistances((await app.graphql(query, { near })).club.tournaments.nodes)).toEqual([41]);
  });

  test('limits the records of a relation filter', async () => {
    const query = 'query ($near: Near!) { clubs(filter: { tournaments: { some: { near: $near } } }) { nodes { id } } }';
    expect(await app.graphql(query, { near })).toEqual({ clubs: { nodes: [{ id: 'austin' }] } });
  });
});

describe('users', () => {
  test('are found by `near` if they show their location, and only they and platforms see their coordinates', async () => {
    const carl = await app.person({ firstName: 'Carl' });
    const nearbyUsers = async (tokens: Tokens) => {
      const query = 'query ($filter: UserFilter) { users(filter: $filter) { nodes { firstName latitude distance } } }';
      const { users } = await app.graphql(query, { filter: { near } }, tokens);
      return users.nodes.map((node: { distance: number }) => ({ ...node, distance: Math.round(node.distance) }));
    };
    expect({
      toOtherUser: await nearbyUsers({ user: carl.user }),
      toBen: await nearbyUsers({ user: ben.user }),
      toPlatform: await nearbyUsers(app.platform),
    }).toEqual({
      toOtherUser: [{ firstName: 'Ana', latitude: null, distance: 41 }],
      toBen: [
        { firstName: 'Ben', latitude: austin.latitude, distance: 0 },
        { firstName: 'Ana', latitude: null, distance: 41 },
      ],
      toPlatform: [
        { firstName: 'Ben', latitude: austin.latitude, distance: 0 },
        { firstName: 'Ana', latitude: georgetown.latitude, distance: 41 },
      ],
    });
  });

  test.each([
    ['ana lopes', ['Ana']],
    ['ITO', ['Ben']],
    ['ben ito', ['Ben']],
    ['nobody with that name', []],
  ])('are searched by both names, ignoring case and accents and allowing typos: "%s"', async (search, firstNames) => {
    const query = 'query ($filter: UserFilter) { users(filter: $filter) { nodes { firstName } } }';
    const { users } = await app.graphql(query, { filter: { search } });
    expect(users.nodes).toEqual(firstNames.map((firstName) => ({ firstName })));
  });
});

test.each([
  ['leagues', 'LeagueFilter'],
  ['clubs', 'ClubFilter'],
  ['games', 'GameFilter'],
])('%s are searched by title, ignoring case and allowing typos', async (many, type) => {
  const query = `query ($filter: ${type}) { ${many}(filter: $filter) { nodes { title } } }`;
  const titles = async (search: string) =>
    (await app.graphql(query, { filter: { search } }))[many].nodes.map(({ title }: { title: string }) => title);
  expect({ georgetonw: await titles('georgetonw'), SYDNEY: await titles('SYDNEY') }).toEqual({
    georgetonw: ['Club of georgetown'],
    SYDNEY: ['Club of sydney'],
  });
});
