import { beforeEach, describe, expect, test } from 'vitest';
import { bare, either, empty, list, page, platform, type Route, routes } from '../../../compat/engine/index.js';
import { row, sampleGraph } from './sample-graph.js';
import { tournament } from './sample-tables.js';
import { serve } from './server.js';

const many: Route = {
  auth: platform,
  args: page({ default: 'all' }),
  run: '{ tournaments { totalCount nodes { ...FlatTournament } } }',
  reply: list(tournament, { total: 'total_records' }),
  keep: true,
};
const start = (route: Route, rows = 120) => {
  const graph = sampleGraph(Array.from({ length: rows }, (_, index) => row(`t${index}`)));
  return serve(graph, { routes: [routes({ 'GET /v1/kept': route, 'GET /v1/kept/{uuid}': one })] }).then(({ send }) => ({
    graph,
    send,
  }));
};
const one: Route = {
  auth: either,
  run: 'query ($uuid: ID!) { tournament(id: $uuid) { ...FlatTournament } }',
  reply: bare(tournament),
  keep: true,
};

test('an answer is made once for all who ask meanwhile, the same as if it were not kept', async () => {
  const { graph, send } = await start(many);
  const plain = await (await start({ ...many, keep: undefined })).send('GET /v1/kept', { as: 'P' });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('GET /v1/kept', { as: 'P' })));
  answers.push(await send('GET /v1/kept', { as: 'P' }));
  expect([new Set(answers.map(({ text }) => text)), graph.counts]).toEqual([new Set([plain.text]), 1]);
});

test('other arguments have another answer, and it is made anew when what it is made of changes', async () => {
  const { graph, send } = await start(many);
  const size = async (path: string) => ((await send(`GET ${path}`, { as: 'P' })).body as { results: unknown[] }).results.length;
  const before = [await size('/v1/kept'), await size('/v1/kept?page_size=3')];
  graph.rows.delete('t7');
  const within = await size('/v1/kept');
  graph.version = 'two';
  expect([...before, within, await size('/v1/kept')]).toEqual([120, 3, 120, 119]);
});

test('what is not there is asked for again, and errors are', async () => {
  const { graph, send } = await start({ auth: either, run: '{ busy { id } }', reply: empty, keep: true });
  const statuses = [];
  for (const path of ['/v1/kept', '/v1/kept', '/v1/kept/new', '/v1/kept/new'])
    statuses.push((await send(`GET ${path}`, { as: 'P' })).status);
  graph.rows.set('new', row('new'));
  expect([...statuses, (await send('GET /v1/kept/new', { as: 'P' })).status]).toEqual([503, 503, 404, 404, 200]);
});

test('the token is looked at each time', async () => {
  const { send } = await start(many);
  const statuses = [];
  for (const as of ['P', 'U', '', 'X']) statuses.push((await send('GET /v1/kept', { as })).status);
  expect(statuses).toEqual([200, 403, 401, 401]);
});

test('what not everybody may read stops the start', async () => {
  const secrets: Route = { auth: platform, run: '{ secrets { id } }', reply: empty, keep: true };
  await expect(start(secrets)).rejects.toThrow('route GET /v1/kept: only for: super admin');
});

test('an answer that is being made while its version goes is not given to those who ask for the next one', async () => {
  const { graph, send } = await start(many);
  const before = send('GET /v1/kept', { as: 'P' });
  await expect.poll(() => graph.asked.length).toBeGreaterThan(0);
  graph.rows.delete('t7');
  graph.version = 'two';
  await before;
  expect((await send('GET /v1/kept', { as: 'P' })).body).toMatchObject({ total_records: '119' });
});

describe('conditional requests', () => {
  const ask = async (etag?: string, method = 'GET') => {
    const { send } = client;
    const { status, headers, text } = await send(`${method} /v1/kept`, {
      as: 'P',
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
    return { status, text, etag: headers.get('etag') ?? '', length: headers.get('content-length'), headers };
  };
  let client: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    client = await start(many);
  });

  test('whoever keeps an answer asks each time, by its tag, and gets no body while it is the same', async () => {
    const { etag, headers } = await ask();
    const same = [await ask(etag), await ask(`"other", W/${etag}`), await ask('*'), await ask(etag, 'HEAD')];
    expect([
      headers.get('cache-control'),
      headers.get('vary'),
      same.map((answer) => [answer.status, answer.text, answer.etag === etag, answer.length]),
      same[0]?.headers.get('content-type'),
    ]).toEqual(['private, no-cache', 'PB-API-TOKEN, PB-USER-TOKEN, Authorization', same.map(() => [304, '', true, null]), null]);
  });

  test('another answer has another tag and comes whole', async () => {
    const { etag, text } = await ask();
    client.graph.rows.delete('t7');
    client.graph.version = 'two';
    const next = await ask(etag);
    expect([next.status, next.etag === etag, next.text === text]).toEqual([200, false, false]);
  });

  test('the token is asked for all the same', async () => {
    const { etag } = await ask();
    const { status, headers } = await client.send('GET /v1/kept', { as: 'X', headers: { 'if-none-match': etag } });
    expect([status, headers.get('etag')]).toEqual([401, null]);
  });
});
