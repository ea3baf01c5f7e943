import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineNames } from '../../src/commands/gateway/index.js';
import { requestTimeout } from '../../src/commands/gateway/subgraph.js';
import { examples } from '../../src/gateway/examples/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { deletes } from '../support/deletes.js';
import { type Federation, startFederation } from '../support/federation.js';
import { ask, exceptions } from '../support/gateway-answers.js';
import { expectGolden, goldenNames, type Host, readGolden } from '../support/golden.js';
import { newKey } from '../support/keys.js';
import { type AppOperation, appOperations, season } from './app-operations.js';
import { nested } from './nested-operations.js';

const directory = join(import.meta.dirname, '../compat/golden');
let app: TestApp;
let federation: Federation;
let host: Host;
beforeAll(async () => {
  app = await startApp();
  federation = await startFederation(app);
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  host = {
    url: federation.legacy,
    tokens: { ...app.platform, user: user.user, admin: admin.user },
    ids: { user: user.id, admin: admin.id },
  };
}, 240_000);
afterAll(async () => {
  await federation.stop();
  await app.close();
});

const played = goldenNames(directory).filter((name) => !readGolden(directory, name).alone);

test.for(played)('%s, over the gateway', async (name) => {
  await expectGolden(directory, name, host, () => undefined);
});

const engines = engineNames;
const everywhere = async <T>(
  answer: (url: string, name: string) => Promise<T>,
): Promise<{ own: T; others: Record<string, T> }> => {
  const [own, ...others] = await Promise.all([
    answer(`${app.origin}/graphql`, 'own'),
    ...engines.map((engine) => answer(federation.graphql[engine], engine)),
  ]);
  return { own, others: Object.fromEntries(engines.map((engine, index) => [engine, others[index]])) as Record<string, T> };
};
const byAll = <T>(own: T): Record<string, T> => Object.fromEntries(engines.map((engine) => [engine, own]));

describe('operations of apps, in a season', () => {
  beforeAll(async () => {
    const partner = await app.person({ firstName: 'Bo', lastName: 'Berg' });
    const [player] = await app.sql.rows<{ id: string }>('select id from app_user where id = $1', [host.ids?.user]);
    const done = await app.graphql(season, { player: player?.id, partner: partner.id });
    expect(done.errors).toBeUndefined();
  });

  test.for([...examples, ...nested, ...appOperations])(
    '$title',
    async ({ title, query, as, variables, isRefused, ...rest }: AppOperation) => {
      const tokens = as ? { 'pb-user-token': host.tokens[as] ?? '' } : { 'pb-api-token': app.platform.platform };
      const { own, others } = await everywhere(async (url, name) => {
        const written = JSON.stringify({ query, variables, ...rest }).replaceAll('%', name);
        return JSON.parse(JSON.stringify(await ask(url, JSON.parse(written), tokens)).replaceAll(`${name}-`, '%-'));
      });
      expect(own.status).toBe(isRefused ? 400 : 200);
      const equal = engines.filter((engine) => !exceptions.has(`${engine}: ${title}`));
      expect(Object.fromEntries(equal.map((engine) => [engine, others[engine]]))).toEqual(
        Object.fromEntries(equal.map((engine) => [engine, own])),
      );
      // A row of the table that is not needed any more goes.
      for (const engine of engines) if (!equal.includes(engine)) expect(others[engine]).not.toEqual(own);
    },
  );

  test('the table of what engines do otherwise has no row of other operations', () => {
    const titles = [...examples, ...nested, ...appOperations].map(({ title }) => title);
    expect([...exceptions].filter((row) => !titles.some((title) => row.endsWith(`: ${title}`)))).toEqual([]);
  });
});

test.for([
  ['no token', {}],
  ['a garbage token', { 'pb-api-token': 'garbage' }],
] as const)('%s is refused alike', async ([, tokens]) => {
  const query = '{ tournaments { nodes { id } } }';
  const { own, others } = await everywhere((url) => ask(url, { query }, tokens));
  expect(others).toEqual(byAll(own));
});

test('a publishable key opens and refuses alike, as a header and as a bearer', async () => {
  const { key } = await newKey(app, ['https://play.example']);
  const { user } = await app.person();
  const headers = [
    { 'pb-api-token': key },
    { authorization: `Bearer ${key}` },
    { 'pb-api-token': key, authorization: `Bearer ${user}` },
  ];
  const queries = [
    '{ tournaments(first: 1) { nodes { title referees { nodes { user { firstName email } } } } } }',
    '{ viewer { id } discountCodes { totalCount } }',
    'mutation { login(input: { email: "nobody@%.example", password: "wrong" }) { token } }',
  ];
  for (const tokens of headers)
    for (const query of queries) {
      const { own, others } = await everywhere((url, name) => ask(url, { query: query.replace('%', name) }, tokens));
      expect(others).toEqual(byAll(own));
    }
});

test('a page of a foreign origin gets nothing over the gateway, either', async () => {
  const { key } = await newKey(app, ['https://play.example']);
  const query = '{ tournaments { totalCount } }';
  const from = async (origin: string) => (await everywhere((url) => ask(url, { query }, { 'pb-api-token': key, origin }))).others;
  expect(await from('https://play.example')).toEqual(
    byAll({ status: 200, data: { tournaments: { totalCount: expect.any(Number) } }, errors: [] }),
  );
  expect(await from('https://evil.example')).toEqual(
    byAll({ status: 200, data: { tournaments: null }, errors: [['FORBIDDEN', expect.any(String), ['tournaments']]] }),
  );
});

test.for(deletes)('$name answers what the record was, whatever other modules had of it', async ({ create, run, nulls }) => {
  const headers = { 'pb-api-token': app.platform.platform, 'pb-user-token': host.tokens.admin };
  const { own, others } = await everywhere(async (url, name) => {
    const made = await ask(url, { query: create(name) }, headers);
    expect(made.errors).toEqual([]);
    return ask(url, { query: run(name) }, headers);
  });
  expect(own).toEqual({ status: 200, data: { gone: expect.objectContaining({ id: 'own' }) }, errors: [] });
  expect(others).toEqual(
    Object.fromEntries(
      engines.map((id) => [id, { status: 200, data: { gone: { id, createdAt: expect.any(String), ...nulls } }, errors: [] }]),
    ),
  );
});

describe('a request that cannot be run is refused as /graphql refuses it:', () => {
  const post = (body: string, type = 'application/json') => ({ method: 'POST', body, headers: { 'content-type': type } });
  test.for<[string, RequestInit, string?]>([
    ['bad JSON', post('{"query": "{ clubs')],
    ['no query', post('{}')],
    ['a list', post('[{ "query": "{ __typename }" }]')],
    ['a query that is none', post('{ "query": "{" }')],
    ['an unknown operation name', post('{ "query": "query A { __typename }", "operationName": "B" }')],
    ['two operations and no name', post('{ "query": "query A { __typename } query B { __typename }" }')],
    ['another content type', post('query=1', 'application/x-www-form-urlencoded')],
    ['another charset', post('{}', 'application/json; charset=utf-16')],
    ['a body of two megabytes', post(JSON.stringify({ query: 'x'.repeat(2e6) }))],
    [
      'variables of a thousand levels',
      post(`{ "query": "{ __typename }", "variables": { "a": ${'['.repeat(1000)}${']'.repeat(1000)} } }`),
    ],
    ['a mutation by GET', {}, '?query=mutation{logout}'],
    ['another method', { method: 'PUT', body: '{}' }],
  ])('%s', async ([, request, address = '']) => {
    const { own, others } = await everywhere(async (url) => {
      const response = await fetch(url + address, {
        ...request,
        headers: { 'pb-api-token': app.platform.platform, ...request.headers },
      });
      return [response.status, response.headers.get('content-type'), await response.text()];
    });
    expect(own[0]).toBeGreaterThanOrEqual(400);
    expect(others).toEqual(byAll(own));
  });
});

test('a subgraph that is gone, hangs or stumbles leaves the rest of the answer, and tells no address', {
  timeout: 60_000,
}, async () => {
  federation.lines.faults = { rankings: 'gone', engagement: 'hangs', news: 'unreachable', media: 'stumbles' };
  const query = `{ tournaments(filter: { id: { in: ["t1", "t2"] } }, orderBy: [{ field: ID }]) { nodes { title rankingPoints { totalCount }
    isViewerFavorite club { title isViewerFavorite } } } rankings { totalCount } news { totalCount } sponsors { totalCount } }`;
  const answers = await Promise.all(
    engines.map(async (engine) => {
      const start = performance.now();
      const answer = await ask(federation.graphql[engine], { query }, { 'pb-api-token': app.platform.platform });
      return { ...answer, isPatient: performance.now() - start > 1.9 * requestTimeout };
    }),
  );
  federation.lines.faults = {};
  const node = (title: string, club: string) => ({
    title,
    rankingPoints: null,
    isViewerFavorite: null,
    club: { title: club, isViewerFavorite: null },
  });
  const absent = (module: string, ...path: (string | number)[]) => [
    'UNAVAILABLE',
    `${module}: this part of the graph does not answer for now`,
    path,
  ];
  const both = (module: string, ...path: string[]) =>
    [0, 1].map((index) => absent(module, 'tournaments', 'nodes', index, ...path));
  expect(answers).toEqual(
    engines.map(() => ({
      status: 200,
      data: {
        tournaments: { nodes: [node('Austin Open', 'Austin Paddle'), node('Boston Open', 'Boston Paddle')] },
        rankings: null,
        news: null,
        sponsors: null,
      },
      errors: [
        ...both('rankings', 'rankingPoints'),
        ...both('engagement', 'isViewerFavorite'),
        ...both('engagement', 'club', 'isViewerFavorite'),
        absent('rankings', 'rankings'),
        absent('news', 'news'),
        ['INTERNAL', 'internal error', ['sponsors']],
      ],
      isPatient: false,
    })),
  );
});

test('the engine that knows no subscriptions says so', async () => {
  const answer = await ask(
    federation.graphql.apollo,
    { query: 'subscription { tournament(id: "open") { id } }' },
    { accept: 'application/json', 'pb-api-token': app.platform.platform },
  );
  expect(answer.errors).toEqual([
    ['BAD_INPUT', 'the engine of this gateway knows no subscriptions: hive and hive-js do', undefined],
  ]);
});
