import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';

const userType = graphOfModules().getType('User') as GraphQLObjectType;
let app: TestApp;
let key: Tokens;

/** Users, each named after the reason why the user is public or hidden. The name is also the ID and the slug. */
const people = [
  'ranked',
  'placed',
  'partner',
  'entered',
  'registered',
  'unclaimed',
  'unclaimedTeam',
  'unclaimedEntry',
  'hiddenRanked',
  'hiddenPlaced',
  'hiddenEntry',
  'invited',
  'withdrawn',
  'unknownEvent',
  'erased',
  'nobody',
  'unclaimedNobody',
] as const;
type Name = (typeof people)[number];
const publicPeople: readonly Name[] = people.slice(0, people.indexOf('hiddenRanked'));

/** Event entries: user, event and status. */
const entries: readonly (readonly [Name, string, string])[] = [
  ['registered', 'doubles', 'REGISTERED'],
  ['unclaimedEntry', 'doubles', 'WAITLISTED'],
  ['hiddenEntry', 'secret-doubles', 'REGISTERED'],
  ['invited', 'doubles', 'INVITED'],
  ['withdrawn', 'doubles', 'WITHDRAWN'],
  ['unknownEvent', 'nowhere', 'REGISTERED'],
];

beforeAll(async () => {
  app = await startApp();
  key = { platform: (await newKey(app)).key };
  await app.sql.rows(
    `insert into app_user (id, slug, email, first_name, last_name, city, country_id, verified_at, image_url, latitude, longitude)
     select name, name, name || '@example.com', initcap(name), 'Quillfeather', 'Austin', '840',
       case when name not like 'unclaimed%' then now() end, 'https://images.example/own-' || name, 30, -97
     from unnest($1::text[]) as people(name)`,
    [people],
  );
  const setUp = await app.graphql(`mutation {
    a: upsertTournament(input: { id: "open", title: "Austin Open" }) { id }
    b: upsertTournament(input: { id: "secret", title: "Secret Open", hidesPlayers: true }) { id }
    c: upsertEvent(input: { id: "doubles", tournamentId: "open" }) { id }
    d: upsertEvent(input: { id: "secret-doubles", tournamentId: "secret" }) { id }
    e: upsertTeam(input: { id: "pair", tournamentId: "open", eventId: "doubles", playerOneId: "placed", playerTwoId: "partner" }) { id }
    f: upsertTeam(input: { id: "entry", tournamentId: "open", eventId: "doubles", playerOneId: "entered" }) { id }
    g: upsertTeam(input: { id: "hidden", tournamentId: "secret", eventId: "secret-doubles", playerOneId: "hiddenPlaced" }) { id }
    k: upsertTeam(input: { id: "imported", tournamentId: "open", eventId: "doubles", playerOneId: "unclaimedTeam" }) { id }
    ${entries.map(([userId, eventId, status]) => `${userId}: upsertEventRegistration(input: { userId: "${userId}", eventId: "${eventId}", status: ${status} }) { id }`).join('\n')}
    h: upsertFinalStanding(input: { eventId: "doubles", teamId: "pair", finalRanking: 1 }) { id }
    i: upsertFinalStanding(input: { eventId: "secret-doubles", teamId: "hidden", finalRanking: 1 }) { id }
    ${['ranked', 'erased', 'unclaimed'].map((id) => `${id}: upsertRankingPoints(input: { playerId: "${id}", tournamentId: "open", eventId: "doubles", points: 10, playedAt: "2026-01-01T00:00:00Z" }) { id }`).join('\n')}
    j: upsertRankingPoints(input: { playerId: "hiddenRanked", tournamentId: "secret", eventId: "secret-doubles", points: 10 }) { id }
  }`);
  expect(setUp.errors).toBeUndefined();
  const content = (['ranked', 'nobody'] as const).flatMap((id) =>
    ['APPROVED', 'PENDING'].map((state) => [`${id}-${state.toLowerCase()}`, id, state]),
  );
  for (const row of content) {
    await app.sql.rows(`insert into biography (id, user_id, text, approval_state) values ($1, $2, $1, $3)`, row);
    await app.sql.rows(
      `insert into user_image (id, user_id, url, type, approval_state) values ($1, $2, 'https://images.example/' || $1, 'ACTION', $3)`,
      row,
    );
  }
  const admin = await app.person({ isSuperAdmin: true });
  await app.graphql('mutation { eraseUser(id: "erased") { user { id } } }', {}, { user: admin.user });
});
afterAll(() => app.close());

const sendQuery = (query: string, tokens: Tokens = key) => app.graphql(query, {}, tokens);

test('with a key, `search` finds only players in public rankings, teams and entries, claimed or not', async () => {
  const search = (tokens: Tokens) =>
    sendQuery('{ search(text: "quillfeather", kinds: [PLAYER]) { totalCount nodes { ... on User { id } } } }', tokens);
  const results = (await search(key)).search;
  const asPlatform = (await search(app.platform)).search;
  expect({
    ids: results.nodes.map(({ id }: { id: Name }) => id).sort(),
    totalCount: results.totalCount,
    platformTotal: asPlatform.totalCount,
  }).toEqual({ ids: [...publicPeople].sort(), totalCount: publicPeople.length, platformTotal: people.length - 1 });
});

test('with a key, `search` finds players without naming a kind, and no erased ones', async () => {
  expect({
    anyKind: (await sendQuery('{ search(text: "quillfeather") { totalCount } }')).search,
    erased: (await sendQuery('{ search(text: "deleted user", kinds: [PLAYER]) { totalCount } }')).search,
  }).toEqual({ anyKind: { totalCount: publicPeople.length }, erased: { totalCount: 0 } });
});

test('with a key, `userBySlug` finds the same players', async () => {
  const query = `{ ${people.map((name) => `${name}: userBySlug(slug: "${name}") { id }`).join('\n')} }`;
  const namesIn = (answer: Record<Name, unknown>) => people.filter((name) => answer[name] !== null);
  const { user } = await app.person();
  expect({ key: namesIn(await sendQuery(query)), user: namesIn(await sendQuery(query, { user })) }).toEqual({
    key: publicPeople,
    // Erased users have no slug.
    user: people.filter((name) => name !== 'erased'),
  });
});

describe.each(['user', 'node', 'nodes'])('with a key, `%s`', (field) => {
  test('finds the same players by ID', async () => {
    const nodeIds: Record<Name, { nodeId: string }> = await sendQuery(
      `{ ${people.map((name) => `${name}: user(id: "${name}") { nodeId }`).join('\n')} }`,
      app.platform,
    );
    const selections = people.map((name) => {
      const { nodeId } = nodeIds[name];
      const call = { user: `user(id: "${name}")`, node: `node(id: "${nodeId}")`, nodes: `nodes(ids: ["${nodeId}"])` }[field];
      return `${name}: ${call} { ... on User { id } }`;
    });
    const namesIn = (answer: Record<Name, unknown>) => people.filter((name) => [answer[name]].flat()[0] !== null);
    const query = `{ ${selections.join('\n')} }`;
    const { user } = await app.person();
    expect({ key: namesIn(await sendQuery(query)), user: namesIn(await sendQuery(query, { user })) }).toEqual({
      key: publicPeople,
      user: people,
    });
  });
});

test('with a key, relations of public records show other users, such as referees', async () => {
  await app.graphql('mutation { upsertTournamentReferee(input: { tournamentId: "open", userId: "nobody" }) { id } }');
  expect(await sendQuery('{ tournament(id: "open") { referees { nodes { user { firstName email } } } } }')).toEqual({
    tournament: { referees: { nodes: [{ user: { firstName: 'Nobody', email: null } }] } },
  });
});

test('with a key, `search` finds a player whose name is the placeholder for erased users', async () => {
  await app.sql.rows(
    `insert into app_user (id, slug, first_name, last_name) values ('namesake', 'deleted-user', 'Deleted', 'user')`,
  );
  await app.graphql('mutation { upsertTeam(input: { id: "namesakes", eventId: "doubles", playerOneId: "namesake" }) { id } }');
  expect(await sendQuery('{ search(text: "deleted user", kinds: [PLAYER]) { nodes { ... on User { id } } } }')).toEqual({
    search: { nodes: [{ id: 'namesake' }] },
  });
});

test('with a key, the private fields of an unclaimed player are null', async () => {
  expect(
    await sendQuery('{ userBySlug(slug: "unclaimed") { firstName city email phone dateOfBirth zip latitude verifiedAt } }'),
  ).toEqual({
    userBySlug: {
      firstName: 'Unclaimed',
      city: 'Austin',
      email: null,
      phone: null,
      dateOfBirth: null,
      zip: null,
      latitude: null,
      verifiedAt: null,
    },
  });
});

describe('the profile of a public player, read with a key', () => {
  test('has the public fields, and no private ones', async () => {
    await app.sql.rows(
      `update app_user set phone = '+15125550123', phone_country_id = '840', gender = 'F', date_of_birth = '1990-01-01', state_id = '44',
         zip = '78701', shows_place = true, name_suffix = 'Jr.' where id = 'ranked'`,
    );
    const leaves = Object.values(userType.getFields()).filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.length);
    const selection = `${leaves.map(({ name }) => name).join(' ')} phoneCountry { id } country { id } state { id } roles { id }`;
    const { userBySlug } = await sendQuery(`{ userBySlug(slug: "ranked") { ${selection} } }`);
    const shown = Object.entries(userBySlug).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    );
    expect(shown.map(([name]) => name)).toEqual([
      'nodeId',
      'id',
      'firstName',
      'lastName',
      'nameSuffix',
      'gender',
      'countryId',
      'stateId',
      'city',
      'slug',
      'createdAt',
      'updatedAt',
      'version',
      'country',
      'state',
    ]);
  });

  test('has only approved images and biographies', async () => {
    const { userBySlug } = await sendQuery(
      '{ userBySlug(slug: "ranked") { imageUrl biography { id } biographies { nodes { id } } images { nodes { id } } } }',
    );
    expect(userBySlug).toEqual({
      imageUrl: null,
      biography: { id: 'ranked-approved' },
      biographies: { nodes: [{ id: 'ranked-approved' }] },
      images: { nodes: [{ id: 'ranked-approved' }] },
    });
  });

  test('has the profile image once it is approved', async () => {
    await app.sql.rows(
      `insert into user_image (id, user_id, url, type, approval_state) values ('face', 'placed', 'https://images.example/face', 'PROFILE', 'APPROVED')`,
    );
    expect(await sendQuery('{ userBySlug(slug: "placed") { imageUrl } }')).toEqual({
      userBySlug: { imageUrl: 'https://images.example/face' },
    });
  });

  test('has the rankings and results', async () => {
    expect(
      await sendQuery(`{
        ranked: userBySlug(slug: "ranked") { rankings(divisions: []) { rank } rankingPoints { nodes { points } } }
        placed: userBySlug(slug: "placed") { teams { nodes { standings { nodes { finalRanking } } } } }
      }`),
    ).toEqual({
      ranked: { rankings: [], rankingPoints: { nodes: [{ points: 10 }] } },
      placed: { teams: { nodes: [{ standings: { nodes: [{ finalRanking: 1 }] } }] } },
    });
  });
});

test('with a key, images and biographies of other users stay closed, through every path', async () => {
  expect(
    await sendQuery(`{
      biographies { nodes { id } } userImages { nodes { id } }
      biography(id: "nobody-approved") { id } userImage(id: "nobody-approved") { id }
      tournament(id: "open") { referees { nodes { user { biography { id } images { nodes { id } } imageUrl } } } }
    }`),
  ).toEqual({
    biographies: { nodes: [{ id: 'ranked-approved' }] },
    userImages: { nodes: [expect.anything(), { id: 'ranked-approved' }] },
    biography: null,
    userImage: null,
    tournament: { referees: { nodes: [{ user: { biography: null, images: { nodes: [] }, imageUrl: null } }] } },
  });
});

test('with a key, no filter or order by a private field is accepted', async () => {
  const codeOf = async (args: string) =>
    ((await sendQuery(`{ tournament(id: "open") { players(${args}) { totalCount } } }`)).errors?.[0] ?? 'accepted').split(':')[0];
  const fields = [
    'email',
    'phone',
    'phoneCountryId',
    'showsPlace',
    'dateOfBirth',
    'zip',
    'latitude',
    'isSuperAdmin',
    'verifiedAt',
  ];
  const codes = await Promise.all(
    fields.flatMap((field) => [
      codeOf(`filter: { ${field}: { isNull: false } }`),
      codeOf(`orderBy: [{ field: ${field.replace(/[A-Z]/g, '_$&').toUpperCase()} }]`),
    ]),
  );
  expect(codes.filter((code) => !['BAD_INPUT', 'UNAUTHENTICATED'].includes(code ?? ''))).toEqual([]);
});
