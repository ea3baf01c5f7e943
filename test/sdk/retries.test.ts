import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'graphql';
import { afterEach, describe, expect, test } from 'vitest';
import { portOf } from '../../src/process/port.js';
import type { TypedDocument } from '../../src/sdk/document.js';
import { GraphQLRequestError, LegacyError, NetworkError } from '../../src/sdk/errors.js';
import { createGraphQLClient } from '../../src/sdk/graph-client.js';
import { createLegacyClient } from '../../src/sdk/legacy.js';

const documentOf = <Result, Variables = Record<string, never>>(text: string) => parse(text) as TypedDocument<Result, Variables>;
const query = documentOf<{ a: number }>('{ a }');
const mutation = documentOf<{ b: number }>('mutation { b }');

type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** Returns a step that responds with a status, a JSON body and headers. */
const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const errorBody = (code: string, extensions: object = {}) => ({
  data: null,
  errors: [{ message: 'no', extensions: { code, ...extensions } }],
});
const success = answer(200, { data: { a: 1, b: 2 } });
const unavailable = answer(503, errorBody('UNAVAILABLE'), { 'Retry-After': '0' });

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server that handles each request with the next step, and all further requests with the last step. */
async function serve(...steps: Step[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    (steps[requests.length - 1] ?? steps.at(-1))?.(response, request);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${portOf(server)}`, requests };
}

/** Returns the value or error of a promise, and its duration in milliseconds. */
const timed = async (promise: Promise<unknown>) => {
  const startedAt = performance.now();
  // biome-ignore lint/suspicious/noExplicitAny: a result or an error of any kind
  const result: any = await promise.then(
    (value) => value,
    (error) => error,
  );
  return { result, milliseconds: performance.now() - startedAt };
};

describe('a query', () => {
  test('is retried after the number of seconds in `Retry-After`', async () => {
    const { origin, requests } = await serve(answer(503, errorBody('UNAVAILABLE'), { 'Retry-After': '1' }), success);
    const { result, milliseconds } = await timed(createGraphQLClient({ origin }).run(query));
    expect({ result, requests: requests.length }).toEqual({ result: { a: 1, b: 2 }, requests: 2 });
    expect(milliseconds).toBeGreaterThan(1000);
  });

  test('is retried at the date in `Retry-After`', async () => {
    const retryAt = new Date(Date.now() + 2000).toUTCString();
    const { origin, requests } = await serve(answer(429, errorBody('RATE_LIMITED'), { 'Retry-After': retryAt }), success);
    await createGraphQLClient({ origin }).run(query);
    expect(requests.length).toBe(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(retryAt));
  });

  test('is retried when one of its fields is unavailable', async () => {
    const partial = {
      data: { a: null },
      errors: [{ message: 'no', path: ['a'], extensions: { code: 'UNAVAILABLE', retryAfter: 0 } }],
    };
    const { origin, requests } = await serve(answer(200, partial), success);
    const result = await createGraphQLClient({ origin }).run(query);
    expect({ result, requests: requests.length }).toEqual({ result: { a: 1, b: 2 }, requests: 2 });
  });

  test('is retried `retries` times, and then throws the last error', async () => {
    const { origin, requests } = await serve(unavailable);
    const { result } = await timed(createGraphQLClient({ origin, retries: 2 }).run(query));
    expect(result).toBeInstanceOf(GraphQLRequestError);
    const { code, status } = result;
    expect({ code, status, requests: requests.length }).toEqual({ code: 'UNAVAILABLE', status: 503, requests: 3 });
  });

  test('is not retried when the server asks for a long wait', async () => {
    const { origin, requests } = await serve(answer(429, errorBody('RATE_LIMITED', { retryAfter: 900 })));
    const { code, retryAfter } = (await timed(createGraphQLClient({ origin }).run(query))).result;
    expect({ code, retryAfter, requests: requests.length }).toEqual({ code: 'RATE_LIMITED', retryAfter: 900, requests: 1 });
  });

  test('with invalid input is not retried, and throws all its problems', async () => {
    const problems = [{ field: 'first', expected: 'a number from 0 to 100' }];
    const { origin, requests } = await serve(
      answer(400, { errors: [{ message: 'no', extensions: { code: 'BAD_INPUT', problems } }] }),
    );
    const { result } = await timed(createGraphQLClient({ origin }).run(query));
    expect({ code: result.code, problems: result.problems, requests: requests.length }).toEqual({
      code: 'BAD_INPUT',
      problems,
      requests: 1,
    });
  });

  test('is retried after a broken connection, and after an error of a reverse proxy', async () => {
    const breakConnection: Step = (_, request) => request.socket.destroy();
    const badGateway: Step = (response) => response.writeHead(502).end('<h1>Bad gateway</h1>');
    const { origin, requests } = await serve(breakConnection, badGateway, success);
    const result = await createGraphQLClient({ origin }).run(query);
    expect({ result, requests: requests.length }).toEqual({ result: { a: 1, b: 2 }, requests: 3 });
  });

  test('requests a user token for each attempt', async () => {
    const { origin, requests } = await serve(unavailable, success);
    let tokens = 0;
    await createGraphQLClient({ origin, publishableKey: 'pk_1', userToken: async () => `token-${++tokens}` }).run(query);
    expect(requests.map(({ headers }) => ({ apiToken: headers['pb-api-token'], userToken: headers['pb-user-token'] }))).toEqual([
      { apiToken: 'pk_1', userToken: 'token-1' },
      { apiToken: 'pk_1', userToken: 'token-2' },
    ]);
  });
});

describe('a mutation', () => {
  test('is retried with the same idempotency key, and another mutation has another key', async () => {
    const { origin, requests } = await serve(unavailable, success);
    const graph = createGraphQLClient({ origin });
    await graph.run(mutation);
    await graph.run(mutation);
    const [first, retry, other] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(retry).toBe(first);
    expect(other).not.toBe(first);
  });

  test('is retried while its first request is still running', async () => {
    const { origin, requests } = await serve(answer(409, errorBody('STILL_RUNNING'), { 'Retry-After': '0' }), success);
    await createGraphQLClient({ origin }).run(mutation, {}, { idempotencyKey: 'order-7' });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-7', 'order-7']);
  });

  test('without an idempotency key is not retried', async () => {
    const { origin, requests } = await serve(unavailable);
    const { result } = await timed(createGraphQLClient({ origin }).run(mutation, {}, { idempotencyKey: null }));
    expect({
      code: result.code,
      requests: requests.length,
      idempotencyKey: requests[0]?.headers['idempotency-key'],
    }).toEqual({ code: 'UNAVAILABLE', requests: 1, idempotencyKey: undefined });
  });
});

describe('a request without a response', () => {
  const never: Step = () => undefined;

  test('throws TIMEOUT after its retries', async () => {
    const { origin, requests } = await serve(never);
    const { result } = await timed(createGraphQLClient({ origin, timeout: 50, retries: 1 }).run(query));
    expect(result).toBeInstanceOf(NetworkError);
    expect({ reason: result.reason, requests: requests.length }).toEqual({ reason: 'TIMEOUT', requests: 2 });
  });

  test.each([
    ['during the request', never],
    // The retry delay is longer than the timeout of the test.
    ['while it waits for a retry', answer(503, errorBody('UNAVAILABLE'), { 'Retry-After': '3600' })],
  ])('is aborted by a signal %s', async (_, step) => {
    const controller = new AbortController();
    const { origin, requests } = await serve((response, request) => {
      step(response, request);
      setTimeout(() => controller.abort('enough'), 100);
    });
    const client = createGraphQLClient({ origin, maxRetryDelay: 3_700_000 });
    const { result } = await timed(client.run(query, {}, { signal: controller.signal }));
    expect({ result, requests: requests.length }).toEqual({ result: 'enough', requests: 1 });
  });

  test('throws NETWORK if no server listens', async () => {
    const { result } = await timed(createGraphQLClient({ origin: 'http://127.0.0.1:9', retries: 1 }).run(query));
    expect({ name: result.name, reason: result.reason }).toEqual({ name: 'NetworkError', reason: 'NETWORK' });
  });
});

test('pages() follows the cursors to the last page', async () => {
  const pageOf = (nodes: number[], endCursor: string | null) =>
    answer(200, { data: { list: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } } });
  const { origin, requests } = await serve(pageOf([1, 2], 'x'), pageOf([3], null));
  interface List {
    list: { nodes: number[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  }
  const document = documentOf<List, { after?: string | null }>('query ($after: String) { list(after: $after) }');
  const allNodes: number[] = [];
  for await (const { nodes } of createGraphQLClient({ origin }).pages(document, {}, ({ list }) => list)) allNodes.push(...nodes);
  expect({ allNodes, requests: requests.length }).toEqual({ allNodes: [1, 2, 3], requests: 2 });
});

describe('the client of /v1', () => {
  interface Client {
    getThingsId(values: { id: string; title?: string; Browser?: string }): Promise<unknown>;
    postThings(values: { body: unknown }): Promise<unknown>;
    getLink(): Promise<unknown>;
  }
  const operations = {
    getThingsId: { method: 'GET', path: '/v1/things/{id}', query: ['title'], headers: ['Browser'], writes: false },
    postThings: { method: 'POST', path: '/v1/things', query: [], headers: [], writes: true },
    getLink: { method: 'GET', path: '/v1/link', query: [], headers: [], writes: true },
  };
  const clientOf = (origin: string) => createLegacyClient<Client>(operations, { origin, platformToken: 't' });
  const unavailable = answer(503, { Code: 503, Message: 'later', Timestamp: 1, RequestId: 7 }, { 'Retry-After': '0' });

  test('retries a GET with its values in path, query and headers', async () => {
    const { origin, requests } = await serve(unavailable, answer(200, { result: 1 }));
    expect(await clientOf(origin).getThingsId({ id: 'a/b', title: 'x & y', Browser: 'Lynx' })).toEqual({ result: 1 });
    const [, retry] = requests;
    expect({
      url: retry?.url,
      browser: retry?.headers.browser,
      apiToken: retry?.headers['pb-api-token'],
    }).toEqual({ url: '/v1/things/a%2Fb?title=x+%26+y', browser: 'Lynx', apiToken: 't' });
  });

  test('returns null for an update that changed nothing, which has the status 304', async () => {
    const { origin } = await serve((response) => response.writeHead(304).end());
    expect(await clientOf(origin).postThings({ body: {} })).toBe(null);
  });

  test('retries a write with the same idempotency key, and throws its error', async () => {
    const { origin, requests } = await serve(
      unavailable,
      answer(404, { Code: 404, Message: 'there is none', Timestamp: 1, RequestId: 8 }),
    );
    const { result } = await timed(clientOf(origin).postThings({ body: {} }));
    expect(result).toBeInstanceOf(LegacyError);
    expect({ status: result.status, message: result.message, requestId: result.requestId }).toEqual({
      status: 404,
      message: 'there is none',
      requestId: '8',
    });
    const [first, ...retries] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(retries).toEqual([first]);
  });

  test('does not retry a GET that writes', async () => {
    const { origin, requests } = await serve(unavailable);
    await timed(clientOf(origin).getLink());
    expect(requests.length).toBe(1);
  });
});
