import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'graphql';
import { afterEach, describe, expect, test } from 'vitest';
import { portOf } from '../../src/port.js';
import type { TypedDocument } from '../../src/sdk/document.js';
import { GraphError } from '../../src/sdk/errors.js';
import { graphClient } from '../../src/sdk/graph-client.js';

interface News {
  [field: string]: { kind: string; cursor: string };
  news: { kind: string; cursor: string };
}
const documentOf = (text: string) => parse(text) as TypedDocument<News, { after?: string | null; id?: string }>;
const document = documentOf('subscription ($after: String) { news(after: $after) { kind cursor } }');

type Step = (response: ServerResponse, request: IncomingMessage) => void;

const opened = (response: ServerResponse, status = 200) => {
  response.writeHead(status, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
  return response;
};
const next = (body: unknown) => `event: next\ndata: ${JSON.stringify(body)}\n\n`;
const event = (cursor: string, kind = 'CHANGED') => next({ data: { news: { kind, cursor } } });
const refusal = (code: string, more: object = {}) =>
  next({ data: null, errors: [{ message: 'no', extensions: { code, ...more } }] });
const complete = 'event: complete\ndata:\n\n';
const tells =
  (...events: string[]): Step =>
  (response) =>
    void opened(response).write(events.join(''));
const ends =
  (...events: string[]): Step =>
  (response) =>
    opened(response).end(events.join('') + complete);
const breaks =
  (...events: string[]): Step =>
  (response, request) =>
    opened(response).write(events.join(''), () => setTimeout(() => request.socket.destroy(), 50));
const here: Step = (response) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"liveCursor":"here"}}');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that takes these steps, one a request, the last one for all that follow; and the variables that it was sent. */
async function served(...steps: Step[]) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const step = steps[asked.length] ?? steps.at(-1);
    asked.push(null);
    asked[asked.length - 1] = JSON.parse(await text(request)).variables;
    step?.(response, request);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${portOf(server)}`, asked };
}

/** The cursors of so many events, and what it was ended by. */
async function heardOf(events: AsyncIterable<News>, many: number) {
  const heard: string[] = [];
  try {
    for await (const { news } of events) if (heard.push(news.cursor) === many) break;
  } catch (error) {
    return { heard, error };
  }
  return { heard, error: null };
}

test('it begins where the log is when it is called, so that nothing is missed until there is a connection', async () => {
  const { origin, asked } = await served(here, tells(event('a'), event('b')));
  expect(await heardOf(graphClient({ origin }).subscribe(document, { id: 'x' }), 2)).toEqual({ heard: ['a', 'b'], error: null });
  expect(asked).toEqual([undefined, { id: 'x', after: 'here' }]);
});

test('it begins behind a cursor that it is given, as a variable or beside them', async () => {
  const { origin, asked } = await served(tells(event('b')));
  await heardOf(graphClient({ origin }).subscribe(document, { after: 'a' }), 1);
  await heardOf(graphClient({ origin }).subscribe(document, {}, { after: 'z' }), 1);
  expect(asked).toEqual([{ after: 'a' }, { after: 'z' }]);
});

describe('it comes back with the last cursor', () => {
  test.each([
    ['the service ends the stream', ends(event('b'))],
    ['the connection breaks', breaks(event('b'))],
    ['it was read too slowly', ends(event('b'), refusal('UNAVAILABLE'))],
    ['the service is away for a moment', ends(event('b'), refusal('UNAVAILABLE', { retryAfter: 0 }))],
  ])('where %s', async (_, step) => {
    const { origin, asked } = await served(step, tells(event('c')));
    const heard = await heardOf(graphClient({ origin }).subscribe(document, { after: 'a' }), 2);
    expect([heard, asked]).toEqual([{ heard: ['b', 'c'], error: null }, [{ after: 'a' }, { after: 'b' }]]);
  });

  test('also where it was not reached for longer than calls are sent again', async () => {
    const away: Step = (_, request) => request.socket.destroy();
    const { origin, asked } = await served(tells(event('b')), ...Array(3).fill(away), tells(event('c')));
    const events = graphClient({ origin, retries: 1 }).subscribe(document, { after: 'a' });
    expect((await events.next()).value).toEqual({ news: { kind: 'CHANGED', cursor: 'b' } });
    servers[0]?.closeAllConnections();
    expect((await events.next()).value).toEqual({ news: { kind: 'CHANGED', cursor: 'c' } });
    await events.return();
    expect(asked.slice(1)).toEqual(Array(4).fill({ after: 'b' }));
  });
});

test('it tells that all has to be read anew, and goes on from there', async () => {
  const { origin } = await served(tells(event('n', 'READ_ANEW'), event('o')));
  const events = graphClient({ origin }).subscribe(document, { after: 'old' });
  expect([(await events.next()).value, (await events.next()).value]).toEqual([
    { news: { kind: 'READ_ANEW', cursor: 'n' } },
    { news: { kind: 'CHANGED', cursor: 'o' } },
  ]);
  await events.return();
});

test('an event arrives whole, however its bytes were cut', async () => {
  const { origin } = await served((response) => {
    opened(response);
    const bytes = Buffer.from(event('ü').replaceAll('\n', '\r\n'));
    for (const [index, byte] of bytes.entries()) setTimeout(() => response.write(Buffer.of(byte)), index);
  });
  expect(await heardOf(graphClient({ origin }).subscribe(document, { after: 'a' }), 1)).toEqual({ heard: ['ü'], error: null });
});

test('what is refused for good is thrown, after what was told before', async () => {
  const { origin, asked } = await served(ends(event('b'), refusal('UNAUTHENTICATED')));
  const { heard, error } = await heardOf(graphClient({ origin }).subscribe(document, { after: 'a' }), 9);
  expect([heard, error instanceof GraphError && error.code, asked.length]).toEqual([['b'], 'UNAUTHENTICATED', 1]);
});

test('who was never reached is given up as by other calls', async () => {
  const events = graphClient({ origin: 'http://127.0.0.1:9', retries: 1 }).subscribe(document, { after: 'a' });
  expect((await heardOf(events, 1)).error).toMatchObject({ name: 'NoAnswer', reason: 'NETWORK' });
});

test('a signal ends it, while it waits for an event and while it waits to come back', async () => {
  for (const step of [tells(), ends(refusal('UNAVAILABLE', { retryAfter: 9 }))]) {
    const { origin } = await served(step);
    const since = performance.now();
    const events = graphClient({ origin }).subscribe(document, { after: 'a' }, { signal: AbortSignal.timeout(200) });
    expect(await heardOf(events, 1)).toEqual({ heard: [], error: null });
    expect(performance.now() - since).toBeLessThan(5_000);
  }
});

test('who leaves the loop closes the connection', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const { origin } = await served((response, request) => {
    closed = once(request.socket, 'close');
    tells(event('b'))(response, request);
  });
  await heardOf(graphClient({ origin }).subscribe(document, { after: 'a' }), 1);
  await closed;
});

test.each([
  ['query ($after: String) { news(after: $after) { kind cursor } }', 'takes $after'],
  ['subscription { news { kind cursor } }', 'takes $after'],
  ['subscription ($after: String) { news(after: $after) { kind } }', 'select kind and cursor'],
])('%s is no document for it', async (query, words) => {
  const { origin } = await served(tells(next({ data: { news: { kind: 'CHANGED' } } })));
  const { error } = await heardOf(graphClient({ origin }).subscribe(documentOf(query), { after: 'a' }), 1);
  expect(String(error)).toContain(words);
});
