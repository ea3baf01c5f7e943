import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bare, either, empty, list, page, platform, type Route, routes } from '../../../compat/engine/index.js';
import { row, sampleGraph } from './sample-graph.js';
import { tournament } from './sample-tables.js';
import { serve } from './server.js';

const many: Route = {
  auth: platform,
  args: page({ default: 'all' }),
  run: '{ tournaments { totalCount nodes { ...FlatTournament } } }',
  reply: list(tournament, { total: 'total_records' }),
  keep: 0.5,
};
const start = (route: Route, rows = 250) => {
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
  keep: 0.5,
};

test('an answer is made once for all who ask meanwhile, the same as if it were not kept', async () => {
  const { graph, send } = await start(many);
  const plain = await (await start({ ...many, keep: undefined })).send('GET /v1/kept', { as: 'P' });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('GET /v1/kept', { as: 'P' })));
  answers.push(await send('GET /v1/kept', { as: 'P' }));
  expect([new Set(answers.map(({ text }) => text)), graph.counts]).toEqual([new Set([plain.text]), 1]);
});

test('other arguments have another answer, and a while later it is made anew', async () => {
  const { graph, send } = await start(many);
  const size = async (path: string) => ((await send(`GET ${path}`, { as: 'P' })).body as { results: unknown[] }).results.length;
  const before = [await size('/v1/kept'), await size('/v1/kept?page_size=3')];
  graph.rows.delete('t7');
  const within = await size('/v1/kept');
  await sleep(600);
  expect([...before, within, await size('/v1/kept')]).toEqual([250, 3, 250, 249]);
});

test('what is not there is asked for again, and errors are', async () => {
  const { graph, send } = await start({ auth: either, run: '{ busy { id } }', reply: empty, keep: 60 });
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
  const secrets: Route = { auth: platform, run: '{ secrets { id } }', reply: empty, keep: 60 };
  await expect(start(secrets)).rejects.toThrow('route GET /v1/kept: only for: super admin');
});
