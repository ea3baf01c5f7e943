import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'graphql';
import { afterEach, describe, expect, test } from 'vitest';
import { portOf } from '../../src/port.js';
import type { TypedDocument } from '../../src/sdk/document.js';
import { GraphError, LegacyError, NoAnswer } from '../../src/sdk/errors.js';
import { graphClient } from '../../src/sdk/graph-client.js';
import { legacyClient } from '../../src/sdk/legacy.js';

const documentOf = <Result, Variables = Record<string, never>>(text: string) => parse(text) as TypedDocument<Result, Variables>;
const question = documentOf<{ a: number }>('{ a }');
const change = documentOf<{ b: number }>('mutation { b }');

type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers with a status, a body and headers. */
const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusing = (code: string, more: object = {}) => ({
  data: null,
  errors: [{ message: 'no', extensions: { code, ...more } }],
});
const done = says(200, { data: { a: 1, b: 2 } });
const later = says(503, refusing('UNAVAILABLE'), { 'Retry-After': '0' });

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that takes these steps, one a request, the last one for all that follow. */
async function served(...steps: Step[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    (steps[asked.length - 1] ?? steps.at(-1))?.(response, request);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${portOf(server)}`, asked };
}

/** What comes of some work, an error too, and how long it took. */
const timed = async (work: Promise<unknown>) => {
  const since = performance.now();
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever it is
  const result: any = await work.then(
    (value) => value,
    (error) => error,
  );
  return { result, milliseconds: performance.now() - since };
};

describe('a question', () => {
  test('is asked again when the server says that it is worth it, and no sooner', async () => {
    const { origin, asked } = await served(says(503, refusing('UNAVAILABLE'), { 'Retry-After': '1' }), done);
    const { result, milliseconds } = await timed(graphClient({ origin }).run(question));
    expect([result, asked.length]).toEqual([{ a: 1, b: 2 }, 2]);
    expect(milliseconds).toBeGreaterThan(1000);
  });

  test('waits until a date, too', async () => {
    const soon = new Date(Date.now() + 2000).toUTCString();
    const { origin, asked } = await served(says(429, refusing('RATE_LIMITED'), { 'Retry-After': soon }), done);
    await graphClient({ origin }).run(question);
    expect(asked.length).toBe(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
  });

  test('is asked again when one of its fields was unavailable', async () => {
    const partly = {
      data: { a: null },
      errors: [{ message: 'no', path: ['a'], extensions: { code: 'UNAVAILABLE', retryAfter: 0 } }],
    };
    const { origin, asked } = await served(says(200, partly), done);
    expect([await graphClient({ origin }).run(question), asked.length]).toEqual([{ a: 1, b: 2 }, 2]);
  });

  test('is asked as often as was said, and then throws what the last answer said', async () => {
    const { origin, asked } = await served(later);
    const { result } = await timed(graphClient({ origin, retries: 2 }).run(question));
    expect(result).toBeInstanceOf(GraphError);
    expect([result.code, result.status, asked.length]).toEqual(['UNAVAILABLE', 503, 3]);
  });

  test('throws at once when it would have to wait for longer than one does', async () => {
    const { origin, asked } = await served(says(429, refusing('RATE_LIMITED', { retryAfter: 900 })));
    const { result } = await timed(graphClient({ origin }).run(question));
    expect([result.code, result.retryAfter, asked.length]).toEqual(['RATE_LIMITED', 900, 1]);
  });

  test('that is wrong is not asked again, and tells all that is wrong', async () => {
    const problems = [{ field: 'first', expected: 'a number from 0 to 100' }];
    const { origin, asked } = await served(
      says(400, { errors: [{ message: 'no', extensions: { code: 'BAD_INPUT', problems } }] }),
    );
    const { result } = await timed(graphClient({ origin }).run(question));
    expect([result.code, result.problems, asked.length]).toEqual(['BAD_INPUT', problems, 1]);
  });

  test('is asked again when the connection broke, or what stands in front of the service answered', async () => {
    const broken: Step = (_, request) => request.socket.destroy();
    const { origin, asked } = await served(broken, (response) => response.writeHead(502).end('<h1>Bad gateway</h1>'), done);
    expect([await graphClient({ origin }).run(question), asked.length]).toEqual([{ a: 1, b: 2 }, 3]);
  });

  test('has a token of its own for each try', async () => {
    const { origin, asked } = await served(later, done);
    let tokens = 0;
    await graphClient({ origin, publishableKey: 'pk_1', userToken: async () => `token-${++tokens}` }).run(question);
    expect(asked.map(({ headers }) => [headers['pb-api-token'], headers['pb-user-token']])).toEqual([
      ['pk_1', 'token-1'],
      ['pk_1', 'token-2'],
    ]);
  });
});

describe('a mutation', () => {
  test('has a key that stays the same when it is sent again, and no other one has it', async () => {
    const { origin, asked } = await served(later, done);
    const graph = graphClient({ origin });
    await graph.run(change);
    await graph.run(change);
    const [first, second, third] = asked.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  test('waits for its first request where that is still at work', async () => {
    const { origin, asked } = await served(says(409, refusing('STILL_RUNNING'), { 'Retry-After': '0' }), done);
    await graphClient({ origin }).run(change, {}, { idempotencyKey: 'order-7' });
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-7', 'order-7']);
  });

  test('without a key is sent once', async () => {
    const { origin, asked } = await served(later);
    const { result } = await timed(graphClient({ origin }).run(change, {}, { idempotencyKey: null }));
    expect([result.code, asked.length, asked[0]?.headers['idempotency-key']]).toEqual(['UNAVAILABLE', 1, undefined]);
  });
});

describe('what takes too long', () => {
  const never: Step = () => undefined;

  test('is no answer, after as many tries as there may be', async () => {
    const { origin, asked } = await served(never);
    const { result } = await timed(graphClient({ origin, timeout: 50, retries: 1 }).run(question));
    expect(result).toBeInstanceOf(NoAnswer);
    expect([result.reason, asked.length]).toEqual(['TIMEOUT', 2]);
  });

  test('is ended by a signal, while it is on its way and while it waits', async () => {
    for (const step of [never, says(503, refusing('UNAVAILABLE'), { 'Retry-After': '9' })]) {
      const { origin, asked } = await served(step);
      const ended = new AbortController();
      setTimeout(() => ended.abort('enough'), 100);
      const { result, milliseconds } = await timed(graphClient({ origin }).run(question, {}, { signal: ended.signal }));
      expect([result, asked.length]).toEqual(['enough', 1]);
      expect(milliseconds).toBeLessThan(5000);
    }
  });

  test('where nobody listens, the network is named', async () => {
    const { result } = await timed(graphClient({ origin: 'http://127.0.0.1:9', retries: 1 }).run(question));
    expect([result.name, result.reason]).toEqual(['NoAnswer', 'NETWORK']);
  });
});

test('pages follow their cursors', async () => {
  const pageOf = (nodes: number[], endCursor: string | null) =>
    says(200, { data: { list: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } } });
  const { origin, asked } = await served(pageOf([1, 2], 'x'), pageOf([3], null));
  interface Listed {
    list: { nodes: number[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  }
  const document = documentOf<Listed, { after?: string | null }>('query ($after: String) { list(after: $after) }');
  const found: number[] = [];
  for await (const { nodes } of graphClient({ origin }).pages(document, {}, ({ list }) => list)) found.push(...nodes);
  expect([found, asked.length]).toEqual([[1, 2, 3], 2]);
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
  const client = (origin: string) => legacyClient<Client>(operations, { origin, platformToken: 't' });
  const unavailable = says(503, { Code: 503, Message: 'later', Timestamp: 1, RequestId: 7 }, { 'Retry-After': '0' });

  test('puts values where they belong, and asks again', async () => {
    const { origin, asked } = await served(unavailable, says(200, { result: 1 }));
    expect(await client(origin).getThingsId({ id: 'a/b', title: 'x & y', Browser: 'Lynx' })).toEqual({ result: 1 });
    expect(asked.map(({ url, headers }) => [url, headers.browser, headers['pb-api-token']])[1]).toEqual([
      '/v1/things/a%2Fb?title=x+%26+y',
      'Lynx',
      't',
    ]);
  });

  test('sends a write again under its key, and throws what it refuses', async () => {
    const { origin, asked } = await served(
      unavailable,
      says(404, { Code: 404, Message: 'there is none', Timestamp: 1, RequestId: 8 }),
    );
    const { result } = await timed(client(origin).postThings({ body: {} }));
    expect(result).toBeInstanceOf(LegacyError);
    expect([result.status, result.message, result.requestId]).toEqual([404, 'there is none', '8']);
    const [first, second] = asked.map(({ headers }) => headers['idempotency-key']);
    expect([asked.length, first === second]).toEqual([2, true]);
  });

  test('does not send a GET again that changes something', async () => {
    const { origin, asked } = await served(unavailable);
    await timed(client(origin).getLink());
    expect(asked.length).toBe(1);
  });
});
