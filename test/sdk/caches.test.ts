import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { Client, fetchExchange, gql as urqlGql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emitSchemas } from '../../src/commands/emit.js';
import { cacheShapeOf } from '../../src/commands/sdk/cache-shape.js';
import { apolloOptions, urqlOptions } from '../../src/sdk/caches.js';
import { startApp, type TestApp } from '../support/servers/app.js';

const sdl = emitSchemas().get('schema.graphql') ?? '';
const shape = cacheShapeOf(sdl);
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  headers = { 'PB-API-TOKEN': app.platform.platform };
  for (const id of ['t1', 't2', 't3', 't4', 't5', 't6'])
    await app.graphql(
      `mutation { createTournament(input: { id: "${id}", title: "${id}", location: { city: "Austin", venue: "Hall" } }) { id } }`,
    );
}, 60_000);
afterAll(() => app.close());

const city = 'query City { tournament(id: "t1") { id location { city } } }';
const venue = 'query Venue { tournament(id: "t1") { id title location { venue } } }';
const both = 'query Both { tournament(id: "t1") { title location { city venue } } }';
const bothFields = { tournament: { title: 't1', location: { city: 'Austin', venue: 'Hall' } } };
const sameIds = 'query SameIds { formats { nodes { id title } } playerGroups { nodes { id title } } }';
const page = `query Page($after: String) {
  tournaments(first: 2, after: $after, orderBy: [{ field: ID, direction: ASC }]) {
    totalCount nodes { id title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
// biome-ignore lint/suspicious/noExplicitAny: results of several clients
const idsOf = (result: any): string[] => result.tournaments.nodes.map(({ id }: { id: string }) => id);
const sameIdsFromService = () => app.graphql(sameIds);

test('the cache configuration lists all mutations that return a deleted record', () => {
  const mutations = Object.values(buildSchema(sdl).getMutationType()?.getFields() ?? {});
  const deleting = mutations.filter(({ description }) =>
    /\b(deletes|removes|cancels and deletes|withdraws) .*\breturns (it|them|the (deleted|removed|registration)|their entry)\b/is.test(
      description ?? '',
    ),
  );
  const unknown = deleting.map(({ name }) => name).filter((name) => !(name in shape.deletions));
  expect({ count: deleting.length, unknown }).toEqual({ count: Object.keys(shape.deletions).length, unknown: [] });
});

describe('Apollo Client', () => {
  const created = () =>
    new ApolloClient({
      link: new HttpLink({ uri: `${app.origin}/graphql`, headers }),
      cache: new InMemoryCache(apolloOptions(shape)),
    });

  test('merges the fields that two queries select of a record and of its value objects', async () => {
    const client = created();
    await client.query({ query: gql(city) });
    await client.query({ query: gql(venue) });
    expect(client.readQuery({ query: gql(both) })).toMatchObject(bothFields);
  });

  test('distinguishes records of two types with the same ID', async () => {
    const client = created();
    await client.query({ query: gql(sameIds) });
    expect(client.readQuery({ query: gql(sameIds) })).toMatchObject(await sameIdsFromService());
  });

  test('appends the second page of a list to the first', async () => {
    const client = created();
    // biome-ignore lint/suspicious/noExplicitAny: the document is not typed
    const first = (await client.query<any>({ query: gql(page) })).data;
    const query = client.watchQuery({ query: gql(page) });
    await query.fetchMore({ variables: { after: first.tournaments.pageInfo.endCursor } });
    const list = client.readQuery({ query: gql(page) });
    expect({ first: idsOf(first), list: idsOf(list) }).toEqual({ first: ['t1', 't2'], list: ['t1', 't2', 't3', 't4'] });
  });

  test('replaces a page that is read again after a deletion, with its cursors', async () => {
    const client = created();
    const { cache } = client;
    const items = (...ids: string[]) => ids.map((id) => ({ __typename: 'Tournament', id, title: id }));
    const list = (fields: string) => gql(`query { tournaments(first: 2) { ${fields} } }`);
    const connection = { __typename: 'TournamentConnection', totalCount: 4 };
    const pageInfo = { __typename: 'PageInfo', startCursor: 'a', endCursor: 'b' };
    cache.writeQuery({
      query: list('totalCount nodes { id title } edges { node { id title } } pageInfo { startCursor endCursor }'),
      data: {
        tournaments: {
          ...connection,
          nodes: items('a', 'b'),
          edges: items('a', 'b').map((node) => ({ __typename: 'TournamentEdge', node })),
          pageInfo,
        },
      },
    });
    const nodes = list('totalCount nodes { id title }');
    cache.writeQuery({ query: nodes, data: { tournaments: { ...connection, totalCount: 3, nodes: items('a', 'c') } } });
    expect({
      nodes: cache.readQuery({ query: nodes }),
      edges: cache.readQuery({ query: list('edges { node { id } }') }),
      pageInfo: cache.readQuery({ query: list('pageInfo { endCursor }') }),
    }).toMatchObject({ nodes: { tournaments: { totalCount: 3, nodes: items('a', 'c') } }, edges: null, pageInfo: null });
  });

  test('adds the fields of two queries for the same page', async () => {
    const client = created();
    const fields = (selection: string) => gql(`query { tournaments(first: 2) { ${selection} } }`);
    await client.query({ query: fields('nodes { id title }') });
    await client.query({ query: fields('edges { node { id } } pageInfo { endCursor }') });
    const both = client.readQuery({ query: fields('nodes { id title } edges { node { id } } pageInfo { endCursor }') });
    expect(idsOf(both)).toHaveLength(2);
  });

  test('evicts a record by the ID that the delete mutation returns', async () => {
    const client = created();
    const one = gql('query { tournament(id: "t4") { id title } }');
    await client.query({ query: one });
    await client.mutate({
      mutation: gql('mutation { deleteTournament(id: "t4") { id } }'),
      // biome-ignore lint/suspicious/noExplicitAny: the document is not typed
      update: (cache, { data }: any) => void cache.evict({ id: cache.identify(data.deleteTournament) as string }),
    });
    expect(client.readQuery({ query: one })).toBeNull();
  });
});

describe('urql', () => {
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
  });
  const created = () =>
    new Client({
      url: `${app.origin}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers },
      exchanges: [
        cacheExchange({ ...urqlOptions(shape), logger: (severity, message) => severity !== 'debug' && warnings.push(message) }),
        fetchExchange,
      ],
    });
  const cached = { requestPolicy: 'cache-only' } as const;

  test('merges the fields that two queries select of a record and of its value objects', async () => {
    const client = created();
    await client.query(urqlGql(city), {}).toPromise();
    await client.query(urqlGql(venue), {}).toPromise();
    const { data } = await client.query(urqlGql(both.replace('{ title', '{ id title')), {}, cached).toPromise();
    expect({ data, warnings }).toMatchObject({ data: bothFields, warnings: [] });
  });

  test('distinguishes records of two types with the same ID', async () => {
    const client = created();
    await client.query(urqlGql(sameIds), {}).toPromise();
    const { data } = await client.query(urqlGql(sameIds), {}, cached).toPromise();
    expect(data).toMatchObject(await sameIdsFromService());
  });

  test('caches each page of a list', async () => {
    const client = created();
    const { data: first } = await client.query(urqlGql(page), {}).toPromise();
    const after = first.tournaments.pageInfo.endCursor;
    await client.query(urqlGql(page), { after }).toPromise();
    const read = async (variables: object) => idsOf((await client.query(urqlGql(page), variables, cached).toPromise()).data);
    expect({ first: await read({}), second: (await read({ after })).length }).toEqual({ first: ['t1', 't2'], second: 2 });
  });

  test('evicts a record by the ID that the delete mutation returns', async () => {
    const client = created();
    const one = urqlGql('query { tournament(id: "t5") { id title } }');
    const before = await client.query(one, {}).toPromise();
    const remove = urqlGql('mutation { deleteTournament(id: "t5") { id title location { city } } }');
    const { data: deleted } = await client.mutation(remove, {}).toPromise();
    const after = await client.query(one, {}, cached).toPromise();
    expect({ before: before.data.tournament.id, deleted, after: after.data?.tournament ?? null }).toMatchObject({
      before: 't5',
      deleted: { deleteTournament: { id: 't5', title: 't5', location: { city: 'Austin' } } },
      after: null,
    });
  });

  test('evicts a favorite by the ID that `removeFavorite` returns', async () => {
    const { id: userId } = await app.person();
    const added = await app.graphql(`mutation { addFavorite(kind: TOURNAMENT, subjectId: "t1", userId: "${userId}") { id } }`);
    const client = created();
    const one = urqlGql(`query { favorite(id: "${added.addFavorite.id}") { id createdAt } }`);
    const before = await client.query(one, {}).toPromise();
    const remove = urqlGql(`mutation { removeFavorite(id: "${added.addFavorite.id}", userId: "${userId}") { id } }`);
    const { error } = await client.mutation(remove, {}).toPromise();
    const after = await client.query(one, {}, cached).toPromise();
    expect({ error, before: before.data.favorite.id, after: after.data?.favorite ?? null }).toEqual({
      error: undefined,
      before: added.addFavorite.id,
      after: null,
    });
  });
});

test('urql evicts all records whose IDs the mutation returns', () => {
  const { updates } = urqlOptions(shape);
  const evicted = (mutation: string, record: object) => {
    const keys: string[] = [];
    const cache = {
      invalidate: (entity: { __typename: string; id: string }) => void keys.push(`${entity.__typename}:${entity.id}`),
    };
    updates.Mutation[mutation]?.({ [mutation]: record }, {}, cache);
    return keys.toSorted();
  };
  const deleted = {
    deletedTeamIds: ['t'],
    deletedEventRegistrationIds: ['e', 'p'],
    deletedRegistrationIds: ['r'],
    deletedInvoiceItemIds: ['i'],
  };
  const keys = ['EventRegistration:e', 'EventRegistration:p', 'InvoiceItem:i', 'Registration:r', 'Team:t'];
  expect({
    withdraw: evicted('withdraw', { id: 'e', teamId: 't', registrationId: 'r', partnerRegistrationId: 'p' }),
    single: evicted('withdraw', { id: 'e', teamId: 't', partnerRegistrationId: null }),
    withdrawRegistration: evicted('withdrawRegistration', deleted),
    declineTeamInvitation: evicted('declineTeamInvitation', { id: 'n', ...deleted }),
    cancelGame: evicted('cancelGame', { deletedGameIds: ['a', 'b'] }),
    checkout: evicted('checkout', { deletedInvoiceItemIds: ['i'] }),
    deleteSponsor: evicted('deleteSponsor', {
      id: 's',
      deletedSponsorImageIds: ['m'],
      deletedSponsorshipIds: ['p'],
      deletedApprovalIds: ['a'],
      deletedApprovalCommentIds: ['c'],
    }),
    eraseUser: evicted('eraseUser', { user: { id: 'u' }, deletedFavoriteIds: ['f'], deletedApprovalIds: ['a'] }),
  }).toEqual({
    withdraw: ['EventRegistration:e', 'EventRegistration:p', 'Registration:r', 'Team:t'],
    single: ['EventRegistration:e', 'Team:t'],
    withdrawRegistration: keys,
    declineTeamInvitation: keys,
    cancelGame: ['Game:a', 'Game:b'],
    checkout: ['InvoiceItem:i'],
    deleteSponsor: ['Approval:a', 'ApprovalComment:c', 'Sponsor:s', 'SponsorImage:m', 'Sponsorship:p'],
    eraseUser: ['Approval:a', 'Favorite:f'],
  });
});
