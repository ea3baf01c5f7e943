import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { row, type Sample, sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const many = (count: number, title = 'T') =>
  sampleGraph(Array.from({ length: count }, (_, index) => row(`t${index}`, { title: `${title} ${index}` })));
const idsOf = (body: unknown, key = 'results') =>
  ((body as Record<string, { TournamentID: string }[]>)[key] ?? []).map(({ TournamentID }) => TournamentID);
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `t${index + from}`);

test.for([0, 1, 99, 100, 101, 250, 300])('a list without pages returns all %i rows in order, total first', async (count) => {
  const { send } = await serve(many(count));
  const { body, text } = await send('GET /v1/data/some_tournaments', { as: 'P' });
  expect([idsOf(body), text.slice(0, 18), Object.keys(body as object)]).toEqual([
    ids(count),
    `{"total_records":"`,
    ['total_records', 'results', 'reactions'],
  ]);
});

test('retrieve_all walks along the cursor and counts once', async () => {
  const graph = many(250);
  const { send } = await serve(graph);
  const { body } = await send('GET /v1/data/tournaments?retrieve_all=true&is_featured=false', { as: 'P' });
  expect([idsOf(body), graph.asked, graph.counts]).toEqual([
    ids(250),
    [{ first: 100 }, { first: 100, after: '100' }, { first: 100, after: '200' }],
    1,
  ]);
});

test('everything from an offset on', async () => {
  const { send } = await serve(many(250));
  expect(idsOf((await send('GET /v1/data/some_tournaments?current_page=120', { as: 'P' })).body)).toEqual(ids(130, 120));
});

test('a page is one operation', async () => {
  const graph = many(250);
  const { send } = await serve(graph);
  const { body } = await send('GET /v1/data/tournaments?page_size=2&current_page=3', { as: 'P' });
  expect([idsOf(body), (body as { totalRecords: string }).totalRecords, graph.asked.length]).toEqual([['t3', 't4'], '250', 1]);
});

test('few rows are one write, many come in pieces', async () => {
  const few = await (await serve(many(100))).send('GET /v1/data/all_tournaments', { as: 'P' });
  const lots = await (await serve(many(101))).send('GET /v1/data/all_tournaments', { as: 'P' });
  expect([few, lots].map(({ headers }) => [headers.has('content-length'), headers.get('transfer-encoding')])).toEqual([
    [true, null],
    [false, 'chunked'],
  ]);
});

/** A graph whose operations fail from the nth on. */
const failing = (graph: Sample, from: number): Sample => ({
  ...graph,
  prepare(text) {
    const operation = graph.prepare(text);
    const run: typeof operation.run = (...given) =>
      graph.asked.length < from ? operation.run(...given) : Promise.reject(new Error('gone'));
    return { ...operation, run };
  },
});

test('an error on the first page is an ordinary error', async () => {
  const { send } = await serve(failing(many(300), 0));
  expect((await send('GET /v1/data/all_tournaments', { as: 'P' })).status).toBe(500);
});

test('an error on a later page breaks the answer off, so that nobody takes it for whole', async () => {
  const { send, logged } = await serve(failing(many(300), 2));
  await expect(send('GET /v1/data/all_tournaments', { as: 'P' })).rejects.toThrow();
  expect(logged).toMatchObject([{ err: { message: 'gone' } }]);
});

test('a HEAD of many rows reads one page', async () => {
  const graph = many(300);
  const { send } = await serve(graph);
  const { status, text } = await send('HEAD /v1/data/all_tournaments', { as: 'P' });
  expect([status, text, graph.asked.length]).toEqual([200, '', 1]);
});

test('a client that reads slowly holds the reading back, and one that leaves ends it', async () => {
  const graph = many(5000, 'x'.repeat(10_000));
  const { url, logged } = await serve(graph);
  const request = get(`${url}/v1/data/all_tournaments`, { headers: { 'PB-API-TOKEN': 'P' } });
  const [response] = await once(request, 'response');
  response.pause();
  await sleep(200);
  const held = graph.asked.length;
  request.destroy();
  await sleep(100);
  expect([held < 20, graph.asked.length - held <= 1, logged]).toEqual([true, true, []]);
});
