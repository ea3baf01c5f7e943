import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import type { Caller } from '../../src/kernel/declare/caller.js';
import { policiesOf } from '../../src/kernel/declare/policy.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { relationResolvers } from '../../src/kernel/serve/relations.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';

const visitor: Caller = { platform: null, key: { id: 'key', platformId: 'platform' }, user: null, rejected: false };
const nobody: Caller = { ...visitor, key: null };
const schema = graphOfModules();

/** The root fields that open to a key, and not to everybody. */
const openToKeys = (root: GraphQLObjectType | null | undefined) =>
  Object.values(root?.getFields() ?? {})
    .filter(({ extensions }) => {
      const policies = policiesOf(extensions) ?? [];
      return policies.some((policy) => policy.maybe(visitor)) && !policies.some((policy) => policy.maybe(nobody));
    })
    .map(({ name }) => name)
    .sort();

test('a key opens these queries and no others', () => {
  expect(openToKeys(schema.getQueryType())).toEqual([
    'allRankingPoints',
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
  ]);
});

test('a key opens the mutations of sign-on and no others', () => {
  expect(openToKeys(schema.getMutationType())).toEqual([
    'contact',
    'login',
    'register',
    'requestPasswordReset',
    'resendVerification',
  ]);
});

/** Records that a key does not open, by the name of their type. */
const closed = new Set(
  modules.flatMap(({ records }) =>
    records.filter((cls) => !optionsOf(cls).read.some((policy) => policy.maybe(visitor))).map(({ name }) => name),
  ),
);

test('a key opens these subscriptions and no others', () => {
  expect(openToKeys(schema.getSubscriptionType())).toEqual(['standings', 'teams', 'tournament']);
});

/** Types of events: what they show stands behind the policies of their subscriptions. */
const events = new Set(
  Object.values(schema.getSubscriptionType()?.getFields() ?? {})
    .filter(({ extensions }) => !policiesOf(extensions)?.some((policy) => policy.maybe(visitor)))
    .map(({ type }) => getNamedType(type).name),
);

test('every field that leads to a record that keys do not open asks who reads it, or shows what is the own of the signed-in user', () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType =>
      isObjectType(type) && !closed.has(type.name.replace(/(Connection|Edge)$/, '')) && !type.name.startsWith('__'),
  );
  const unguarded = types
    .filter((type) => type !== schema.getMutationType() && !events.has(type.name))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => closed.has(getNamedType(field.type).name.replace(/Connection$/, '')))
        .filter((field) => !relationResolvers.has(`${type.name}.${field.name}`) && !policiesOf(field.extensions))
        .map((field) => `${type.name}.${field.name}`),
    );
  // What mutations and reports answer that keys do not open, and the reaction of whoever is signed in.
  expect(unguarded.sort()).toEqual([
    'CallerUsage.platform',
    'Checkout.invoice',
    'Checkout.request',
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
      createNewsItem(input: { id: "finals", title: "Finals" }) { id }
      react(newsItemId: "finals", kind: LIKE, userId: "person-1") { id }
    }`);
  });
  afterAll(() => app.close());
  const ask = (query: string) => app.graphql(query, {}, { platform: key });

  test('reads tournaments with their players, of whom the public fields show', async () => {
    expect(
      await ask(`{ tournaments { nodes { title teams { nodes { playerOne { id firstName } } } players { totalCount } } }
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

  test('reads how many react to news, and not who', async () => {
    const { newsItem } = await ask('{ newsItem(id: "finals") { viewerReaction { id } reactionCounts { kind count } } }');
    const closed = await Promise.all([
      ask('{ newsItem(id: "finals") { reactions { totalCount } } }'),
      ask('{ newsItem(id: "finals") { reactionOf(userId: "person-1") { kind } } }'),
      ask('{ newsReactions(newsItemId: "finals") { totalCount } }'),
    ]);
    expect([newsItem.viewerReaction, newsItem.reactionCounts[0], closed.map(({ errors }) => errors)]).toEqual([
      null,
      { kind: 'LIKE', count: 1 },
      Array(3).fill(['FORBIDDEN: only for: platform or user']),
    ]);
  });

  test.each([
    '{ tournament(id: "open") { registrations { totalCount } } }',
    '{ team(id: "ana") { platform { title } } }',
    '{ user(id: "person-1") { favorites { totalCount } } }',
    '{ user(id: "person-1") { biography { text } } }',
    '{ user(id: "person-1") { biographies { totalCount } } }',
    '{ games { totalCount } }',
    '{ invoices { totalCount } }',
    '{ platforms { totalCount } }',
    '{ notifications { totalCount } }',
  ])('does not read %s', async (query) => {
    expect((await ask(query)).errors).toEqual(['FORBIDDEN: only for: platform or user']);
  });

  test('sees approved sponsors, without what was said of them, and none that await approval', async () => {
    await app.sql.rows(
      `insert into sponsor (id, user_id, title, approval_state) values ('good', 'person-1', 'Good', 'APPROVED'), ('new', '', 'New', 'PENDING')`,
    );
    const history = await Promise.all(
      ['approvals', 'comments'].map((list) => ask(`{ sponsor(id: "good") { approval { ${list} { totalCount } } } }`)),
    );
    expect([
      await ask('{ sponsors { nodes { title approval { state } } } sponsor(id: "new") { title } }'),
      history.map(({ errors }) => errors),
    ]).toEqual([
      { sponsors: { nodes: [{ title: 'Good', approval: { state: 'APPROVED' } }] }, sponsor: null },
      Array(2).fill(['FORBIDDEN: only for: platform or user']),
    ]);
  });

  test('reads reference data, as anyone does', async () => {
    const query = '{ moduleTypes(first: 1) { nodes { title } } }';
    expect(await ask(query)).toEqual(await app.graphql(query, {}, {}));
  });

  test('who sends no key and no token reads nothing else', async () => {
    expect((await app.graphql('{ tournaments { totalCount } }', {}, {})).errors).toEqual([
      'UNAUTHENTICATED: a token is needed: visitor with a key',
    ]);
  });

  test('with a user token beside the key a person is nobody but that user', async () => {
    const { id, user } = await app.person({ email: 'bo@example.com' });
    const tokens = { platform: key, user };
    expect([
      await app.graphql('{ viewer { id email } user(id: "person-1") { email } users { totalCount } }', {}, tokens),
      (await app.graphql('mutation { upsertTournament(input: { title: "Mine" }) { id } }', {}, tokens)).errors,
      (await app.graphql('mutation { react(newsItemId: "finals", kind: WOW, userId: "person-1") { id } }', {}, tokens)).errors,
    ]).toEqual([
      { viewer: { id, email: 'bo@example.com' }, user: { email: null }, users: { totalCount: 2 } },
      ['FORBIDDEN: only for: platform or permission ADMIN'],
      ['FORBIDDEN: a user token opens the records of that user only'],
    ]);
  });
});
