import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../../src/graphql/graph.js';
import type { Caller } from '../../../src/kernel/declare/policy/caller.js';
import { policiesOf } from '../../../src/kernel/declare/policy/policy.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { modules } from '../../../src/modules/index.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const visitor: Caller = { platform: null, key: { id: 'key', platformId: 'platform' }, user: null, rejected: false };
const anonymous: Caller = { ...visitor, key: null };
const schema = graphOfModules();

/** Returns the root fields that callers with a publishable key can use but anonymous callers cannot. */
const openToKeys = (root: GraphQLObjectType | null | undefined) =>
  Object.values(root?.getFields() ?? {})
    .filter(({ extensions }) => {
      const policies = policiesOf(extensions) ?? [];
      return (
        policies.some((policy) => policy.permitsCaller(visitor)) && !policies.some((policy) => policy.permitsCaller(anonymous))
      );
    })
    .map(({ name }) => name)
    .sort();

test('a key grants access only to these queries', () => {
  expect(openToKeys(schema.getQueryType())).toEqual([
    'allRankingPoints',
    'biographies',
    'biography',
    'categories',
    'category',
    'club',
    'clubs',
    'event',
    'events',
    'finalStanding',
    'finalStandings',
    'league',
    'leagueBySlug',
    'leagueListing',
    'leagueListings',
    'leagues',
    'liveCursor',
    'match',
    'matches',
    'news',
    'newsItem',
    'newsItemBySlug',
    'newsOutlet',
    'newsOutlets',
    'rankingPoints',
    'rankingStats',
    'rankings',
    'search',
    'sponsor',
    'sponsorImage',
    'sponsorImages',
    'sponsors',
    'sponsorship',
    'sponsorships',
    'team',
    'teams',
    'tournament',
    'tournamentByCode',
    'tournamentReferee',
    'tournamentReferees',
    'tournaments',
    'user',
    'userBySlug',
    'userImage',
    'userImages',
  ]);
});

test('a key grants access only to the sign-on mutations', () => {
  expect(openToKeys(schema.getMutationType())).toEqual([
    'contact',
    'login',
    'register',
    'requestPasswordReset',
    'resendVerification',
  ]);
});

/** Type names of the records that a publishable key cannot read. */
const closedTypes = new Set(
  modules.flatMap(({ records }) =>
    records.filter((cls) => !optionsOf(cls).read.some((policy) => policy.permitsCaller(visitor))).map(({ name }) => name),
  ),
);

test('a key grants access only to these subscriptions', () => {
  expect(openToKeys(schema.getSubscriptionType())).toEqual(['matches', 'standings', 'teams', 'tournament']);
});

/**
 * Event types of the subscriptions that publishable keys cannot use. The policies of the subscriptions protect the fields of these types.
 */
const closedEvents = new Set(
  Object.values(schema.getSubscriptionType()?.getFields() ?? {})
    .filter(({ extensions }) => !policiesOf(extensions)?.some((policy) => policy.permitsCaller(visitor)))
    .map(({ type }) => getNamedType(type).name),
);

test('every field that returns a record closed to publishable keys has a policy, unless its parent field is closed', () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) && !closedTypes.has(type.name.replace(/(Connection|Edge)$/, '')) && !type.name.startsWith('__'),
  );
  const unguarded = types
    .filter((type) => type !== schema.getMutationType() && !closedEvents.has(type.name))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => closedTypes.has(getNamedType(field.type).name.replace(/Connection$/, '')))
        .filter((field) => !field.extensions.isRelation && !policiesOf(field.extensions))
        .map((field) => `${type.name}.${field.name}`),
    );
  // These fields belong to responses that keys cannot request, hold the reaction of the signed-in user, or are null for keys.
  expect(unguarded.sort()).toEqual([
    'CallerUsage.platform',
    'Checkout.invoice',
    'Checkout.request',
    'Match.prematch',
    'MatchChange.pregame',
    'MatchChange.prematch',
    'NewPublishableKey.publishableKey',
    'NewsItem.viewerReaction',
    'PlatformToken.platform',
    'WebhookSecret.webhook',
  ]);
});

describe('a visitor with a key', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await startApp();
    ({ key } = await newKey(app));
    await app.person({ email: 'ana@example.com', phone: '+15125550123' });
    await app.graphql(`mutation {
      upsertTournament(input: { id: "open", title: "Austin Open" }) { id }
      upsertEvent(input: { id: "singles", title: "Singles", tournamentId: "open" }) { id }
      upsertTeam(input: { id: "ana", tournamentId: "open", eventId: "singles", playerOneId: "person-1" }) { id }
      upsertRegistration(input: { id: "entry", tournamentId: "open", userId: "person-1" }) { id }
      createNewsItem(input: { id: "finals", title: "Finals", siteSchedule: { from: "2020-01-01T00:00:00Z" } }) { id }
      react(newsItemId: "finals", kind: LIKE, userId: "person-1") { id }
    }`);
  });
  afterAll(() => app.close());
  const sendQuery = (query: string) => app.graphql(query, {}, { platform: key });

  test('reads tournaments with the public fields of their players', async () => {
    expect(
      await sendQuery(`{ tournaments { nodes { title teams { nodes { playerOne { id firstName } } } players { totalCount } } }
        user(id: "person-1") { firstName lastName email phone dateOfBirth zip roles { title } } }`),
    ).toEqual({
      tournaments: {
        nodes: [
          {
            title: 'Austin Open',
            teams: { nodes: [{ playerOne: { id: 'person-1', firstName: 'Ana' } }] },
            players: { totalCount: 1 },
          },
        ],
      },
      user: { firstName: 'Ana', lastName: 'Lopez', email: null, phone: null, dateOfBirth: null, zip: null, roles: null },
    });
  });

  describe('and private values of players', () => {
    beforeAll(async () => {
      await app.sql.rows(
        `update app_user set image_url = 'https://example.com/own.jpg', latitude = 30.2672, longitude = -97.7431, shows_place = true where id = 'person-1'`,
      );
    });

    test('cannot filter by the URL of an image that is not approved', async () => {
      const query = '{ teams(filter: { playerOne: { imageUrl: { contains: "own" } } }) { totalCount } }';
      expect((await sendQuery(query)).errors).toEqual([
        'UNAUTHENTICATED: filter.playerOne.imageUrl: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
      ]);
    });

    test('cannot order by the URL of an image that is not approved', async () => {
      const query = '{ tournament(id: "open") { players(orderBy: [{ field: IMAGE_URL }]) { totalCount } } }';
      expect((await sendQuery(query)).errors).toEqual([
        'UNAUTHENTICATED: orderBy[0].field: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
      ]);
    });

    test('does not find players by their location', async () => {
      const near = '{ latitude: 30.2672, longitude: -97.7431, distance: 5, unit: KILOMETERS }';
      const query = `{ teams(filter: { playerOne: { near: ${near} } }) { totalCount } }`;
      const responses = { visitor: await sendQuery(query), platform: await app.graphql(query) };
      expect(responses).toEqual({ visitor: { teams: { totalCount: 0 } }, platform: { teams: { totalCount: 1 } } });
    });
  });

  test('reads the number of reactions to news', async () => {
    const { newsItem } = await sendQuery('{ newsItem(id: "finals") { viewerReaction { id } reactionCounts { kind count } } }');
    expect({ viewerReaction: newsItem.viewerReaction, firstCount: newsItem.reactionCounts[0] }).toEqual({
      viewerReaction: null,
      firstCount: { kind: 'LIKE', count: 1 },
    });
  });

  test.each([
    '{ newsItem(id: "finals") { reactions { totalCount } } }',
    '{ newsItem(id: "finals") { reactionOf(userId: "person-1") { kind } } }',
    '{ newsReactions(newsItemId: "finals") { totalCount } }',
    '{ tournament(id: "open") { registrations { totalCount } } }',
    '{ team(id: "ana") { platform { title } } }',
    '{ user(id: "person-1") { favorites { totalCount } } }',
    '{ games { totalCount } }',
    '{ invoices { totalCount } }',
    '{ platforms { totalCount } }',
    '{ notifications { totalCount } }',
  ])('cannot read %s', async (query) => {
    expect((await sendQuery(query)).errors).toEqual([
      'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
    ]);
  });

  describe('and sponsors', () => {
    beforeAll(async () => {
      await app.sql.rows(
        `insert into sponsor (id, user_id, title, approval_state) values ('good', 'person-1', 'Good', 'APPROVED'), ('new', '', 'New', 'PENDING')`,
      );
    });

    test('reads only approved ones', async () => {
      expect(await sendQuery('{ sponsors { nodes { title approval { state } } } sponsor(id: "new") { title } }')).toEqual({
        sponsors: { nodes: [{ title: 'Good', approval: { state: 'APPROVED' } }] },
        sponsor: null,
      });
    });

    test.each(['approvals', 'comments'])('cannot read their %s', async (list) => {
      const { errors } = await sendQuery(`{ sponsor(id: "good") { approval { ${list} { totalCount } } } }`);
      expect(errors).toEqual([
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
      ]);
    });
  });

  test('reads the same reference data as anonymous callers', async () => {
    const query = '{ moduleTypes(first: 1) { nodes { title } } }';
    expect(await sendQuery(query)).toEqual(await app.graphql(query, {}, {}));
  });

  test('without the key cannot read tournaments', async () => {
    expect((await app.graphql('{ tournaments { totalCount } }', {}, {})).errors).toEqual([
      'UNAUTHENTICATED: Authentication required: send a publishable key (header PB-API-TOKEN), a user token (header PB-USER-TOKEN), or a platform token (header PB-API-TOKEN)',
    ]);
  });

  test('with a user token has only the permissions of that user', async () => {
    const { id, user } = await app.person({ email: 'bo@example.com' });
    const tokens = { platform: key, user };
    const read = '{ viewer { id email } user(id: "person-1") { email } users { totalCount } }';
    const upsert = 'mutation { upsertTournament(input: { title: "Mine" }) { id } }';
    const reactAsAnother = 'mutation { react(newsItemId: "finals", kind: WOW, userId: "person-1") { id } }';
    expect({
      read: await app.graphql(read, {}, tokens),
      upsert: (await app.graphql(upsert, {}, tokens)).errors,
      reactAsAnother: (await app.graphql(reactAsAnother, {}, tokens)).errors,
    }).toEqual({
      read: { viewer: { id, email: 'bo@example.com' }, user: { email: null }, users: { totalCount: 2 } },
      upsert: ['FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN'],
      reactAsAnother: ['FORBIDDEN: a user token opens the records of that user only'],
    });
  });
});
