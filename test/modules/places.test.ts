import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

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
    const titled = { id, title: `Club of ${id}`, location };
    await save('Tournament', 'upsertTournament', titled);
    await save('League', 'upsertLeague', titled);
    await app.sql.rows('insert into club (id, title, location_latitude, location_longitude) values ($1, $2, $3, $4)', [
      id,
      titled.title,
      location.latitude,
      location.longitude,
    ]);
    await save('Game', 'scheduleGame', { title: titled.title, location, ownerId: ana.id });
  }
  await save('Tournament', 'upsertTournament', { id: 'nowhere', title: 'Nowhere' });
  await save('User', 'updateProfile', { ...georgetown, showsPlace: true }, { user: ana.user });
  await save('User', 'updateProfile', austin, { user: ben.user });
});
afterAll(() => app.close());

const near = { ...austin, distance: 100 };
const away = [0, 41];
const rounded = (nodes: { distance: number | null }[]) =>
  nodes.map(({ distance }) => (distance === null ? null : Math.round(distance)));

test.each(['Tournament', 'League', 'Club', 'Game'])('each %s near a place tells its distance, nearest first', async (type) => {
  const many = `${type.toLowerCase()}s`;
  const query = `query ($filter: ${type}Filter) { ${many}(filter: $filter) { totalCount nodes { distance } } }`;
  const { totalCount, nodes } = (await app.graphql(query, { filter: { near } }))[many];
  expect([totalCount, rounded(nodes)]).toEqual([2, away]);
});

describe('the distance', () => {
  const find = async (filter: object | null, rest = '', fields = 'distance') => {
    const query = `query ($filter: TournamentFilter) { tournaments(filter: $filter ${rest}) { nodes { id ${fields} } pageInfo { endCursor } } }`;
    const answer = await app.graphql(query, { filter });
    return answer.tournaments ?? answer.errors;
  };

  test('is in the unit that was asked for', async () => {
    expect(rounded((await find({ near: { ...near, distance: 60, unit: 'MILES' } })).nodes)).toEqual([0, 26]);
  });

  test('is null where no place was named', async () => {
    expect((await find({ id: { eq: 'austin' } })).nodes).toEqual([{ id: 'austin', distance: null }]);
    expect(await app.graphql('{ tournament(id: "austin") { distance } }')).toEqual({ tournament: { distance: null } });
  });

  test('is told for a place inside `and`, whose nearest come first, too', async () => {
    expect(rounded((await find({ and: [{ title: { contains: 'club' } }, { near }] })).nodes)).toEqual(away);
  });

  test('orders a list, either way, and pages go on behind it', async () => {
    const earth = { near: { ...near, distance: 20_100 } };
    const ids = async (direction: string) =>
      (await find(earth, `orderBy: [{ field: DISTANCE, direction: ${direction} }]`)).nodes.map(({ id }: { id: string }) => id);
    expect([await ids('ASC'), await ids('DESC')]).toEqual([
      ['austin', 'georgetown', 'sydney'],
      ['sydney', 'georgetown', 'austin'],
    ]);
    const order = 'orderBy: [{ field: DISTANCE, direction: DESC }], first: 1';
    const first = await find(earth, order);
    const second = await find(earth, `${order}, after: "${first.pageInfo.endCursor}"`);
    expect(second.nodes).toEqual([{ id: 'georgetown', distance: expect.closeTo(41, 0) }]);
  });

  test('is no order where no place is named', async () => {
    expect(await find({ not: { near } }, 'orderBy: [{ field: ID }, { field: DISTANCE }]')).toEqual([
      'BAD_INPUT: orderBy[1].field: expected DISTANCE only where the filter has `near`',
    ]);
  });

  test('is told in the lists of a record', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "georgetown", clubId: "austin" }) { id } }');
    const query = 'query ($near: Near!) { club(id: "austin") { tournaments(filter: { near: $near }) { nodes { distance } } } }';
    expect(rounded((await app.graphql(query, { near })).club.tournaments.nodes)).toEqual([41]);
  });

  test('limits what a relation leads to', async () => {
    const query = 'query ($near: Near!) { clubs(filter: { tournaments: { some: { near: $near } } }) { nodes { id } } }';
    expect(await app.graphql(query, { near })).toEqual({ clubs: { nodes: [{ id: 'austin' }] } });
  });
});

describe('users', () => {
  const found = async (tokens: Tokens, filter: object = { near }) => {
    const query = 'query ($filter: UserFilter) { users(filter: $filter) { nodes { firstName latitude distance } } }';
    return (await app.graphql(query, { filter }, tokens)).users.nodes.map(
      ({ firstName, latitude, distance }: { firstName: string; latitude: number | null; distance: number }) => [
        firstName,
        latitude,
        Math.round(distance),
      ],
    );
  };

  test('are found near by where they show it, and where they are is told to nobody but themselves and platforms', async () => {
    const carl = await app.person({ firstName: 'Carl' });
    expect([await found({ user: carl.user }), await found({ user: ben.user }), await found(app.platform)]).toEqual([
      [['Ana', null, 41]],
      [
        ['Ben', austin.latitude, 0],
        ['Ana', null, 41],
      ],
      [
        ['Ben', austin.latitude, 0],
        ['Ana', georgetown.latitude, 41],
      ],
    ]);
  });

  test('are searched for by both names', async () => {
    const by = async (search: string) => (await found(app.platform, { search })).map(([name]: [string]) => name);
    expect([await by('ana lopes'), await by('ITO'), await by('ben ito'), await by('nobody of that name')]).toEqual([
      ['Ana'],
      ['Ben'],
      ['Ben'],
      [],
    ]);
  });
});

test.each([
  ['leagues', 'LeagueFilter'],
  ['clubs', 'ClubFilter'],
  ['games', 'GameFilter'],
])('%s are searched for by their titles, misspelled ones too', async (many, type) => {
  const query = `query ($filter: ${type}) { ${many}(filter: $filter) { nodes { title } } }`;
  const titles = async (search: string) =>
    (await app.graphql(query, { filter: { search } }))[many].nodes.map(({ title }: { title: string }) => title);
  expect([await titles('georgetonw'), await titles('SYDNEY')]).toEqual([['Club of georgetown'], ['Club of sydney']]);
});
