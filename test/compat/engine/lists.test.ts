import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { row, type Sample, sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const graphWithRows = (count: number, title = 'T') =>
  sampleGraph(Array.from({ length: count }, (_, index) => row(`t${index}`, { title: `${title} ${index}` })));
const idsOf = (body: unknown, key = 'results') =>
  ((body as Record<string, { TournamentID: string }[]>)[key] ?? []).map(({ TournamentID }) => TournamentID);
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `t${index + from}`);

test.for([0, 1, 99, 100, 101, 250, 300])('a list without pages returns the total, then all %i rows in order', async (count) => {
  const { send } = await serve(graphWithRows(count));
  const { body, text } = await send('GET /v1/data/some_tournaments', { as: 'P' });
  expect({ ids: idsOf(body), start: text.slice(0, 18), keys: Object.keys(body as object) }).toEqual({
    ids: ids(count),
    start: `{"total_records":"`,
    keys: ['total_records', 'results', 'reactions'],
  });
});

test('retrieve_all reads all pages by cursor and counts once', async () => {
  const graph = graphWithRows(250);
  const { send } = await serve(graph);
  const { body } = await send('GET /v1/data/tournaments?retrieve_all=true&is_featured=false', { as: 'P' });
  expect({ ids: idsOf(body), variables: graph.operationVariables, counts: graph.counts }).toEqual({
    ids: ids(250),
    variables: [{ first: 100 }, { first: 100, after: '100' }, { first: 100, after: '200' }],
    counts: 1,
  });
});

test('a list without pages starts at current_page', async () => {
  const { send } = await serve(graphWithRows(250));
  expect(idsOf((await send('GET /v1/data/some_tournaments?current_page=120', { as: 'P' })).body)).toEqual(ids(130, 120));
});

test('a page takes one operation', async () => {
  const graph = graphWithRows(250);
  const { send } = await serve(graph);
  const { body } = await send('GET /v1/data/tournaments?page_size=2&current_page=3', { as: 'P' });
  const { totalRecords } = body as { totalRecords: string };
  expect({ ids: idsOf(body), totalRecords, operations: graph.operationVariables.length }).toEqual({
    ids: ['t3', 't4'],
    totalRecords: '250',
    operations: 1,
  });
});

test('a page of more than 100 rows is read in parts, by cursor, and counted once', async () => {
  const graph = graphWithRows(300);
  const { send } = await serve(graph);
  const { body, headers } = await send('GET /v1/data/tournaments?page_size=230&current_page=20', { as: 'P' });
  expect({
    ids: idsOf(body),
    encoding: headers.get('transfer-encoding'),
    variables: graph.operationVariables,
    counts: graph.counts,
  }).toEqual({
    ids: ids(230, 20),
    encoding: 'chunked',
    variables: [
      { first: 100, offset: 20 },
      { first: 100, after: '120' },
      { first: 30, after: '220' },
    ],
    counts: 1,
  });
});

test.for([
  [1_000, 40],
  [1_000, 100],
  [100, 300],
] as const)('page_size=%i of %i rows takes one operation', async ([size, count]) => {
  const graph = graphWithRows(count);
  const { send } = await serve(graph);
  const { body, headers } = await send(`GET /v1/data/tournaments?page_size=${size}`, { as: 'P' });
  expect({
    ids: idsOf(body),
    hasLength: headers.has('content-length'),
    operations: graph.operationVariables.length,
  }).toEqual({ ids: ids(Math.min(size, count)), hasLength: true, operations: 1 });
});

test('a list of at most 100 rows has a content length, and a longer list is sent in chunks', async () => {
  const transferOf = async (count: number) => {
    const { headers } = await (await serve(graphWithRows(count))).send('GET /v1/data/all_tournaments', { as: 'P' });
    return { hasLength: headers.has('content-length'), encoding: headers.get('transfer-encoding') };
  };
  expect({ rows100: await transferOf(100), rows101: await transferOf(101) }).toEqual({
    rows100: { hasLength: true, encoding: null },
    rows101: { hasLength: false, encoding: 'chunked' },
  });
});

/** Returns a graph in which the first `from` operations succeed and all later operations fail. */
const failing = (graph: Sample, from: number): Sample => ({
  ...graph,
  prepare(text) {
    const operation = graph.prepare(text);
    const run: typeof operation.run = (...args) =>
      graph.operationVariables.length < from ? operation.run(...args) : Promise.reject(new Error('gone'));
    return { ...operation, run };
  },
});

test('an error on the first page returns 500', async () => {
  const { send } = await serve(failing(graphWithRows(300), 0));
  expect((await send('GET /v1/data/all_tournaments', { as: 'P' })).status).toBe(500);
});

test('an error on a later page aborts the response, so that clients recognize it as incomplete', async () => {
  const { send, logged } = await serve(failing(graphWithRows(300), 2));
  await expect(send('GET /v1/data/all_tournaments', { as: 'P' })).rejects.toThrow();
  expect(logged).toMatchObject([{ err: { message: 'gone' } }]);
});

test('a HEAD request for a list reads one page', async () => {
  const graph = graphWithRows(300);
  const { send } = await serve(graph);
  const { status, text } = await send('HEAD /v1/data/all_tournaments', { as: 'P' });
  expect({ status, text, operations: graph.operationVariables.length }).toEqual({ status: 200, text: '', operations: 1 });
});

test('reading rows pauses while the client does not read, and stops when it disconnects', async () => {
  const graph = graphWithRows(5000, 'x'.repeat(10_000));
  const { url, logged } = await serve(graph);
  const request = get(`${url}/v1/data/all_tournaments`, { headers: { 'PB-API-TOKEN': 'P' } });
  const [response] = await once(request, 'response');
  response.pause();
  await sleep(200);
  const operationsWhilePaused = graph.operationVariables.length;
  request.destroy();
  await sleep(100);
  expect(operationsWhilePaused).toBeLessThan(20);
  expect(graph.operationVariables.length - operationsWhilePaused).toBeLessThanOrEqual(1);
  expect(logged).toEqual([]);
});
