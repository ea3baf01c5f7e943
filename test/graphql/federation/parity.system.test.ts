import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineNames } from '../../../src/commands/supergraph/gateway/engines.js';
import { requestTimeout } from '../../../src/commands/supergraph/gateway/subgraph.js';
import { examples } from '../../../src/graphql/examples/index.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { modules } from '../../../src/modules/index.js';
import { drawFrom } from '../../load/abuse/draw.js';
import { expectGolden, type GoldenHost, goldenNames, readGolden } from '../../support/checks/golden.js';
import { askForDistinctErrors, exceptions, missingEngine, sendOperation } from '../../support/clients/gateway.js';
import { emittedSdl, servedSdl } from '../../support/clients/subgraph-sdl.js';
import { deleteMutations } from '../../support/fixtures/delete-mutations.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { requires } from '../../support/prerequisites.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Federation, routerSecret, startFederation } from '../../support/servers/federation.js';
import { type AppOperation, appOperations, season } from './app-operations.js';
import { nested } from './nested-operations.js';
import { overlappingOperation } from './overlapping-operations.js';

/** Number of generated operations. docs/federation.md reports the result for `OVERLAPPING_OPERATIONS=1000`. */
const operationCount = Number(process.env.OVERLAPPING_OPERATIONS ?? 200);

const directory = join(import.meta.dirname, '../../compat/golden');
let app: TestApp;
let federation: Federation;
let host: GoldenHost;
beforeAll(async () => {
  app = await startApp();
  // The layout with the smallest schemas: each process serves one module, and builds only the part of the schema that the module needs.
  federation = await startFederation(app, modules.length);
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

test.for(modules.map(({ name }) => name))('the process of %s alone has exactly the SDL of its file in schema/', async (name) => {
  expect(await servedSdl(federation.lines.urlOf(name), routerSecret)).toBe(emittedSdl(name));
});

const goldens = goldenNames(directory).filter((name) => !readGolden(directory, name).alone);

test.for(goldens)('%s has its golden response over the gateway', async (name) => {
  await expectGolden(directory, name, host, () => undefined);
});

const engines = engineNames;
const allEngines = requires(missingEngine(...engines));
/** Returns the responses of `/graphql` and of the gateway with each engine. */
const sendToAll = async <T>(
  answer: (url: string, name: string) => Promise<T>,
): Promise<{ own: T; byEngine: Record<string, T> }> => {
  const [graphAnswer, ...others] = await Promise.all([
    answer(`${app.origin}/graphql`, 'own'),
    ...engines.map((engine) => answer(federation.graphql[engine], engine)),
  ]);
  return {
    own: graphAnswer,
    byEngine: Object.fromEntries(engines.map((engine, index) => [engine, others[index]])) as Record<string, T>,
  };
};
const sameForAll = <T>(answer: T): Record<string, T> => Object.fromEntries(engines.map((engine) => [engine, answer]));

describe('every engine returns the same responses as /graphql', allEngines, () => {
  beforeAll(async () => {
    const partner = await app.person({ firstName: 'Bo', lastName: 'Berg' });
    const [player] = await app.sql.rows<{ id: string }>('select id from app_user where id = $1', [host.ids?.user]);
    const { errors } = await app.graphql(season, { player: player?.id, partner: partner.id });
    expect(errors).toBeUndefined();
  });

  test.for([...examples, ...nested, ...appOperations])(
    '$title',
    async ({ title, query, caller, variables, isRejected, ...rest }: AppOperation) => {
      const authHeaders =
        caller === 'user' || caller === 'admin'
          ? { 'pb-user-token': host.tokens[caller] ?? '' }
          : { 'pb-api-token': app.platform.platform };
      const { own, byEngine } = await sendToAll(async (url, name) => {
        const body = JSON.stringify({ query, variables, ...rest }).replaceAll('%', name);
        return JSON.parse(JSON.stringify(await sendOperation(url, JSON.parse(body), authHeaders)).replaceAll(`${name}-`, '%-'));
      });
      expect(own.status).toBe(isRejected ? 400 : 200);
      const conformingEngines = engines.filter((engine) => !exceptions.has(`${engine}: ${title}`));
      expect(Object.fromEntries(conformingEngines.map((engine) => [engine, byEngine[engine]]))).toEqual(
        Object.fromEntries(conformingEngines.map((engine) => [engine, own])),
      );
      // Fails when a documented difference no longer exists, as a reminder to remove its row from docs/federation.md.
      for (const engine of engines) if (!conformingEngines.includes(engine)) expect(byEngine[engine]).not.toEqual(own);
    },
  );

  test(
    'to operations that select fields repeatedly',
    async () => {
      const authHeaders = { 'pb-user-token': host.tokens.admin ?? '' };
      const schema = graphOfModules();
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (gen) => {
          const query = overlappingOperation(schema, drawFrom(gen));
          const { own, byEngine } = await sendToAll((url) =>
            askForDistinctErrors(url, { query, variables: { yes: true, no: false } }, authHeaders),
          );
          expect(byEngine).toEqual(sameForAll(own));
        }),
        { numRuns: operationCount, seed: 7 },
      );
    },
    600 * operationCount,
  );

  test('the documented differences name only existing operations', () => {
    const titles = [...examples, ...nested, ...appOperations].map(({ title }) => title);
    expect([...exceptions].filter((row) => !titles.some((title) => row.endsWith(`: ${title}`)))).toEqual([]);
  });
});

test.for([
  ['no token', {}],
  ['an unknown token', { 'pb-api-token': 'garbage' }],
] as const)('every engine rejects %s as /graphql does', allEngines, async ([, authHeaders]) => {
  const query = '{ tournaments { nodes { id } } }';
  const { own, byEngine } = await sendToAll((url) => sendOperation(url, { query }, authHeaders));
  expect(byEngine).toEqual(sameForAll(own));
});

test(
  'a publishable key has the same permissions over every engine, in its header and as a bearer token',
  allEngines,
  async () => {
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
    for (const authHeaders of headers)
      for (const query of queries) {
        const { own, byEngine } = await sendToAll((url, name) =>
          sendOperation(url, { query: query.replace('%', name) }, authHeaders),
        );
        expect(byEngine).toEqual(sameForAll(own));
      }
  },
);

test('every engine rejects a publishable key from a foreign origin', allEngines, async () => {
  const { key } = await newKey(app, ['https://play.example']);
  const query = '{ tournaments { totalCount } }';
  const askFrom = async (origin: string) =>
    (await sendToAll((url) => sendOperation(url, { query }, { 'pb-api-token': key, origin }))).byEngine;
  expect(await askFrom('https://play.example')).toEqual(
    sameForAll({ status: 200, data: { tournaments: { totalCount: expect.any(Number) } }, errors: [] }),
  );
  expect(await askFrom('https://evil.example')).toEqual(
    sameForAll({ status: 200, data: { tournaments: null }, errors: [['FORBIDDEN', expect.any(String), ['tournaments']]] }),
  );
});

test.for(deleteMutations)(
  '$name responds with the deleted record, and with null for fields of other modules',
  allEngines,
  async (mutation) => {
    const { create, run, nulls } = mutation;
    const headers = { 'pb-api-token': app.platform.platform, 'pb-user-token': host.tokens.admin };
    const { own, byEngine } = await sendToAll(async (url, name) => {
      const created = await sendOperation(url, { query: create(name) }, headers);
      expect(created.errors).toEqual([]);
      return sendOperation(url, { query: run(name) }, headers);
    });
    expect(own).toEqual({ status: 200, data: { gone: expect.objectContaining({ id: 'own' }) }, errors: [] });
    expect(byEngine).toEqual(
      Object.fromEntries(
        engines.map((id) => [id, { status: 200, data: { gone: { id, createdAt: expect.any(String), ...nulls } }, errors: [] }]),
      ),
    );
  },
);

describe('every engine rejects a request as /graphql does:', allEngines, () => {
  const post = (body: string, type = 'application/json') => ({ method: 'POST', body, headers: { 'content-type': type } });
  test.for<[string, RequestInit, string?]>([
    ['bad JSON', post('{"query": "{ clubs')],
    ['no query', post('{}')],
    ['a list', post('[{ "query": "{ __typename }" }]')],
    ['a syntax error', post('{ "query": "{" }')],
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
    const { own, byEngine } = await sendToAll(async (url) => {
      const response = await fetch(url + address, {
        ...request,
        headers: { 'pb-api-token': app.platform.platform, ...request.headers },
      });
      return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
    });
    expect(own.status).toBeGreaterThanOrEqual(400);
    expect(byEngine).toEqual(sameForAll(own));
  });
});

test('a subgraph that is stopped, hangs or fails leaves the rest of the response intact, and errors contain no address', {
  ...allEngines,
  timeout: 60_000,
}, async () => {
  federation.lines.faults = { rankings: 'gone', engagement: 'hangs', news: 'unreachable', media: 'stumbles' };
  const query = `{ tournaments(filter: { id: { in: ["t1", "t2"] } }, orderBy: [{ field: ID }]) { nodes { title rankingPoints { totalCount }
    isViewerFavorite club { title isViewerFavorite } } } rankings { totalCount } news { totalCount } sponsors { totalCount } }`;
  const answers = await Promise.all(
    engines.map(async (engine) => {
      const start = performance.now();
      const answer = await sendOperation(federation.graphql[engine], { query }, { 'pb-api-token': app.platform.platform });
      return { ...answer, isSlow: performance.now() - start > 1.9 * requestTimeout };
    }),
  );
  federation.lines.faults = {};
  const node = (title: string, club: string) => ({
    title,
    rankingPoints: null,
    isViewerFavorite: null,
    club: { title: club, isViewerFavorite: null },
  });
  const unavailable = (module: string, ...path: (string | number)[]) => [
    'UNAVAILABLE',
    `${module}: this part of the graph is temporarily unavailable`,
    path,
  ];
  const unavailableInNodes = (module: string, ...path: string[]) =>
    [0, 1].map((index) => unavailable(module, 'tournaments', 'nodes', index, ...path));
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
        ...unavailableInNodes('rankings', 'rankingPoints'),
        ...unavailableInNodes('engagement', 'isViewerFavorite'),
        ...unavailableInNodes('engagement', 'club', 'isViewerFavorite'),
        unavailable('rankings', 'rankings'),
        unavailable('news', 'news'),
        ['INTERNAL', 'internal error', ['sponsors']],
      ],
      isSlow: false,
    })),
  );
});

test('an engine without subscriptions rejects them, and names the engines that support them', allEngines, async () => {
  const answer = await sendOperation(
    federation.graphql.apollo,
    { query: 'subscription { tournament(id: "open") { id } }' },
    { accept: 'application/json', 'pb-api-token': app.platform.platform },
  );
  expect(answer.errors).toEqual([
    ['BAD_INPUT', 'the engine of this gateway does not support subscriptions: use hive or hive-js', undefined],
  ]);
});
