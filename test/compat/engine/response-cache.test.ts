import { beforeEach, describe, expect, test } from 'vitest';
import {
  declareRoutes,
  empty,
  list,
  page,
  platform,
  platformOrUser,
  type Route,
  recordAlone,
} from '../../../compat/engine/index.js';
import { row, sampleGraph } from './sample-graph.js';
import { tournament } from './sample-tables.js';
import { serve } from './server.js';

const cachedList: Route = {
  auth: platform,
  args: page({ default: 'all' }),
  operation: '{ tournaments { totalCount nodes { ...FlatTournament } } }',
  reply: list(tournament, { total: 'total_records' }),
  isCached: true,
};
const start = (route: Route, rows = 120) => {
  const graph = sampleGraph(Array.from({ length: rows }, (_, index) => row(`t${index}`)));
  return serve(graph, { routes: [declareRoutes({ 'GET /v1/kept': route, 'GET /v1/kept/{uuid}': cachedRecord })] }).then(
    ({ send }) => ({
      graph,
      send,
    }),
  );
};
const cachedRecord: Route = {
  auth: platformOrUser,
  operation: 'query ($uuid: ID!) { tournament(id: $uuid) { ...FlatTournament } }',
  reply: recordAlone(tournament),
  isCached: true,
};

test('concurrent and later requests share one cached response, which equals the uncached one', async () => {
  const { graph, send } = await start(cachedList);
  const uncached = await (await start({ ...cachedList, isCached: undefined })).send('GET /v1/kept', { as: 'P' });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('GET /v1/kept', { as: 'P' })));
  answers.push(await send('GET /v1/kept', { as: 'P' }));
  expect({ distinctAnswers: new Set(answers.map(({ text }) => text)), counts: graph.counts }).toEqual({
    distinctAnswers: new Set([uncached.text]),
    counts: 1,
  });
});

test('responses are cached by their arguments, until the version changes', async () => {
  const { graph, send } = await start(cachedList);
  const size = async (path: string) => ((await send(`GET ${path}`, { as: 'P' })).body as { results: unknown[] }).results.length;
  const all = await size('/v1/kept');
  const page = await size('/v1/kept?page_size=3');
  graph.rows.delete('t7');
  const sameVersion = await size('/v1/kept');
  graph.version = 'two';
  expect({ all, page, sameVersion, nextVersion: await size('/v1/kept') }).toEqual({
    all: 120,
    page: 3,
    sameVersion: 120,
    nextVersion: 119,
  });
});

test('errors and missing records are not cached', async () => {
  const { graph, send } = await start({ auth: platformOrUser, operation: '{ busy { id } }', reply: empty, isCached: true });
  const statusOf = async (path: string) => (await send(`GET ${path}`, { as: 'P' })).status;
  const unavailable = await statusOf('/v1/kept');
  const unavailableAgain = await statusOf('/v1/kept');
  const missing = await statusOf('/v1/kept/new');
  const missingAgain = await statusOf('/v1/kept/new');
  graph.rows.set('new', row('new'));
  expect({ unavailable, unavailableAgain, missing, missingAgain, created: await statusOf('/v1/kept/new') }).toEqual({
    unavailable: 503,
    unavailableAgain: 503,
    missing: 404,
    missingAgain: 404,
    created: 200,
  });
});

test('the token is checked for each request of a cached response', async () => {
  const { send } = await start(cachedList);
  const statusAs = async (as: string) => (await send('GET /v1/kept', { as })).status;
  expect({
    platform: await statusAs('P'),
    user: await statusAs('U'),
    noToken: await statusAs(''),
    unknownToken: await statusAs('X'),
  }).toEqual({ platform: 200, user: 403, noToken: 401, unknownToken: 401 });
});

test('a cached route with restricted fields is rejected at startup', async () => {
  const secrets: Route = { auth: platform, operation: '{ secrets { id } }', reply: empty, isCached: true };
  await expect(start(secrets)).rejects.toThrow('route GET /v1/kept: only for: super admin');
});

test('a response in progress when the version changes is not served for the new version', async () => {
  const { graph, send } = await start(cachedList);
  const before = send('GET /v1/kept', { as: 'P' });
  await expect.poll(() => graph.operationVariables.length).toBeGreaterThan(0);
  graph.rows.delete('t7');
  graph.version = 'two';
  await before;
  expect((await send('GET /v1/kept', { as: 'P' })).body).toMatchObject({ total_records: '119' });
});

describe('conditional requests', () => {
  const read = async (etag?: string, method = 'GET') => {
    const { send } = client;
    const { status, headers, text } = await send(`${method} /v1/kept`, {
      as: 'P',
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
    return { status, text, etag: headers.get('etag') ?? '', length: headers.get('content-length'), headers };
  };
  let client: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    client = await start(cachedList);
  });

  test('a response may be cached per token, and must be revalidated', async () => {
    const { headers } = await read();
    expect({ cacheControl: headers.get('cache-control'), vary: headers.get('vary') }).toEqual({
      cacheControl: 'private, no-cache',
      vary: 'PB-API-TOKEN, PB-USER-TOKEN, Authorization',
    });
  });

  test('a request with a matching ETag returns 304 and no body', async () => {
    const { etag } = await read();
    const revalidate = async (ifNoneMatch: string, method?: string) => {
      const { status, text, length, headers, ...answer } = await read(ifNoneMatch, method);
      return { status, text, length, contentType: headers.get('content-type'), etag: answer.etag };
    };
    const notModified = { status: 304, text: '', length: null, contentType: null, etag };
    expect({
      strong: await revalidate(etag),
      listWithWeak: await revalidate(`"other", W/${etag}`),
      any: await revalidate('*'),
      head: await revalidate(etag, 'HEAD'),
    }).toEqual({ strong: notModified, listWithWeak: notModified, any: notModified, head: notModified });
  });

  test('a changed response has a new ETag and a body', async () => {
    const { etag, text } = await read();
    client.graph.rows.delete('t7');
    client.graph.version = 'two';
    const changed = await read(etag);
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(etag);
    expect(changed.text).not.toBe(text);
  });

  test('an unknown token is rejected even with a matching ETag', async () => {
    const { etag } = await read();
    const { status, headers } = await client.send('GET /v1/kept', { as: 'X', headers: { 'if-none-match': etag } });
    expect({ status, etag: headers.get('etag') }).toEqual({ status: 401, etag: null });
  });
});
