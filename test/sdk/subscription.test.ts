import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'graphql';
import { afterEach, describe, expect, test } from 'vitest';
import { portOf } from '../../src/process/port.js';
import type { TypedDocument } from '../../src/sdk/document.js';
import { GraphQLRequestError } from '../../src/sdk/errors.js';
import { createGraphQLClient } from '../../src/sdk/graph-client.js';

interface News {
  [field: string]: { kind: string; cursor: string };
  news: { kind: string; cursor: string };
}
const documentOf = (text: string) => parse(text) as TypedDocument<News, { after?: string | null; id?: string }>;
const document = documentOf('subscription ($after: String) { news(after: $after) { kind cursor } }');

type Step = (response: ServerResponse, request: IncomingMessage) => void;

const openStream = (response: ServerResponse, status = 200) => {
  response.writeHead(status, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
  return response;
};
const next = (body: unknown) => `event: next\ndata: ${JSON.stringify(body)}\n\n`;
const event = (cursor: string, kind = 'CHANGED') => next({ data: { news: { kind, cursor } } });
const errorEvent = (code: string, extensions: object = {}) =>
  next({ data: null, errors: [{ message: 'no', extensions: { code, ...extensions } }] });
const complete = 'event: complete\ndata:\n\n';
/** Returns a step that sends events and keeps the stream open. */
const sendEvents =
  (...events: string[]): Step =>
  (response) =>
    void openStream(response).write(events.join(''));
/** Returns a step that sends events and completes the stream. */
const completeAfter =
  (...events: string[]): Step =>
  (response) =>
    openStream(response).end(events.join('') + complete);
/** Returns a step that sends events and breaks the connection 50 ms later. */
const breakAfter =
  (...events: string[]): Step =>
  (response, request) =>
    openStream(response).write(events.join(''), () => setTimeout(() => request.socket.destroy(), 50));
const answerLiveCursor: Step = (response) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"liveCursor":"here"}}');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server that handles each request with the next step, and all further requests with the last step. */
async function serve(...steps: Step[]) {
  /** Variables of each request. */
  const variables: unknown[] = [];
  const server = createServer(async (request, response) => {
    const index = variables.push(null) - 1;
    variables[index] = JSON.parse(await text(request)).variables;
    (steps[index] ?? steps.at(-1))?.(response, request);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${portOf(server)}`, variables };
}

/** Reads up to `count` events. Returns their cursors, and the error if the subscription fails. */
async function cursorsOf(events: AsyncIterable<News>, count: number) {
  const cursors: string[] = [];
  try {
    for await (const { news } of events) if (cursors.push(news.cursor) === count) break;
  } catch (error) {
    return { cursors, error };
  }
  return { cursors, error: null };
}

test.each(['\u2028', '\u2029'])('an event whose text contains the line separator %j is delivered', async (separator) => {
  const { origin } = await serve(completeAfter(event('1'), event('2', `CHANGED${separator}`), event('3')));
  const events = createGraphQLClient({ origin }).subscribe(document, { after: '0' });
  expect(await cursorsOf(events, 3)).toEqual({ cursors: ['1', '2', '3'], error: null });
});

test('a subscription without a cursor starts at the live cursor at the time of its creation', async () => {
  const { origin, variables } = await serve(answerLiveCursor, sendEvents(event('a'), event('b')));
  expect(await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { id: 'x' }), 2)).toEqual({
    cursors: ['a', 'b'],
    error: null,
  });
  expect(variables).toEqual([undefined, { id: 'x', after: 'here' }]);
});

test('a subscription starts after the cursor in its variables or its options', async () => {
  const { origin, variables } = await serve(sendEvents(event('b')));
  await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { after: 'a' }), 1);
  await cursorsOf(createGraphQLClient({ origin }).subscribe(document, {}, { after: 'z' }), 1);
  expect(variables).toEqual([{ after: 'a' }, { after: 'z' }]);
});

describe('a subscription resumes with its last cursor', () => {
  test.each([
    ['the service ends the stream', completeAfter(event('b'))],
    ['the connection breaks', breakAfter(event('b'))],
    ['it was read too slowly', completeAfter(event('b'), errorEvent('UNAVAILABLE'))],
    ['the service is briefly unavailable', completeAfter(event('b'), errorEvent('UNAVAILABLE', { retryAfter: 0 }))],
  ])('after %s', async (_, step) => {
    const { origin, variables } = await serve(step, sendEvents(event('c')));
    const received = await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { after: 'a' }), 2);
    expect(received).toEqual({ cursors: ['b', 'c'], error: null });
    expect(variables).toEqual([{ after: 'a' }, { after: 'b' }]);
  });

  test('after more failed connections than `retries`', async () => {
    const breakConnection: Step = (_, request) => request.socket.destroy();
    const { origin, variables } = await serve(sendEvents(event('b')), ...Array(3).fill(breakConnection), sendEvents(event('c')));
    const events = createGraphQLClient({ origin, retries: 1 }).subscribe(document, { after: 'a' });
    expect((await events.next()).value).toEqual({ news: { kind: 'CHANGED', cursor: 'b' } });
    servers[0]?.closeAllConnections();
    expect((await events.next()).value).toEqual({ news: { kind: 'CHANGED', cursor: 'c' } });
    await events.return();
    expect(variables.slice(1)).toEqual(Array(4).fill({ after: 'b' }));
  });
});

test('a subscription yields CHANGES_MISSED and continues', async () => {
  const { origin } = await serve(sendEvents(event('n', 'CHANGES_MISSED'), event('o')));
  const events = createGraphQLClient({ origin }).subscribe(document, { after: 'old' });
  expect((await events.next()).value).toEqual({ news: { kind: 'CHANGES_MISSED', cursor: 'n' } });
  expect((await events.next()).value).toEqual({ news: { kind: 'CHANGED', cursor: 'o' } });
  await events.return();
});

test('an event is parsed correctly even if its bytes arrive one by one', async () => {
  const { origin } = await serve((response) => {
    openStream(response);
    const bytes = Buffer.from(event('ü').replaceAll('\n', '\r\n'));
    for (const [index, byte] of bytes.entries()) setTimeout(() => response.write(Buffer.of(byte)), index);
  });
  expect(await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { after: 'a' }), 1)).toEqual({
    cursors: ['ü'],
    error: null,
  });
});

test('a permanent error is thrown after the events before it, without another request', async () => {
  const { origin, variables } = await serve(completeAfter(event('b'), errorEvent('UNAUTHENTICATED')));
  const { cursors, error } = await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { after: 'a' }), 9);
  expect({ cursors, code: error instanceof GraphQLRequestError && error.code, requests: variables.length }).toEqual({
    cursors: ['b'],
    code: 'UNAUTHENTICATED',
    requests: 1,
  });
});

test('a server that was never reached causes an error after `retries`', async () => {
  const events = createGraphQLClient({ origin: 'http://127.0.0.1:9', retries: 1 }).subscribe(document, { after: 'a' });
  expect((await cursorsOf(events, 1)).error).toMatchObject({ name: 'NetworkError', reason: 'NETWORK' });
});

test.each([
  ['an event', sendEvents()],
  // The retry delay is longer than the timeout of the test.
  ['its next connection', completeAfter(errorEvent('UNAVAILABLE', { retryAfter: 3600 }))],
])('a signal ends a subscription that waits for %s', async (_, step) => {
  const controller = new AbortController();
  const { origin, variables } = await serve((response, request) => {
    step(response, request);
    setTimeout(() => controller.abort(), 200);
  });
  const client = createGraphQLClient({ origin, maxRetryDelay: 3_700_000 });
  const events = client.subscribe(document, { after: 'a' }, { signal: controller.signal });
  expect(await cursorsOf(events, 1)).toEqual({ cursors: [], error: null });
  expect(variables).toEqual([{ after: 'a' }]);
});

test('leaving the loop closes the connection', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const { origin } = await serve((response, request) => {
    closed = once(request.socket, 'close');
    sendEvents(event('b'))(response, request);
  });
  await cursorsOf(createGraphQLClient({ origin }).subscribe(document, { after: 'a' }), 1);
  await closed;
});

test.each([
  ['query ($after: String) { news(after: $after) { kind cursor } }', 'takes $after'],
  ['subscription { news { kind cursor } }', 'takes $after'],
  ['subscription ($after: String) { news(after: $after) { kind } }', 'select kind and cursor'],
])('rejects the document %s', async (query, text) => {
  const { origin } = await serve(sendEvents(next({ data: { news: { kind: 'CHANGED' } } })));
  const { error } = await cursorsOf(createGraphQLClient({ origin }).subscribe(documentOf(query), { after: 'a' }), 1);
  expect(String(error)).toContain(text);
});
