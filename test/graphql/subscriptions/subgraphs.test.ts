import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portOf } from '../../../src/process/port.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

interface Message {
  action: string;
  payload?: unknown;
  errors?: unknown;
}
/** State of a subscription on the router's callback server. */
interface CallbackSubscription {
  /** Received messages, including messages to which the receiver responded with a failure. */
  readonly messages: (Message & { verifier: string; protocol: unknown })[];
  /** HTTP status that the callback server responds with. */
  status: number;
  /** Number of messages that fail with 503 before the first success. Their `protocol` is recorded as undefined. */
  failures: number;
}
const subscriptions = new Map<string, CallbackSubscription>();
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const { kind: _, id, ...message } = JSON.parse(text);
    const { messages, status, failures } = subscriptions.get(id) ?? { messages: [], status: 404, failures: 0 };
    const isFailure = failures > messages.filter(({ protocol }) => protocol === undefined).length;
    messages.push({ ...message, protocol: isFailure ? undefined : request.headers['subscription-protocol'] });
    response.writeHead(isFailure ? 503 : status).end();
  });
});

let app: TestApp;
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${portOf(server)}`;
  app = await startApp({ SUBGRAPHS: 'tournaments,leagues', ROUTER_CALLBACKS: `${origin}/callback` });
  await app.graphql(
    'mutation { upsertClub(input: { id: "club", title: "Club" }) { id } upsertTournament(input: { id: "cup", title: "Cup", clubId: "club" }) { id } }',
  );
});
afterAll(async () => {
  await app.close();
  server.close();
});

const path = '/subgraphs/tournaments';
const save = (title: string) =>
  app.graphql('mutation ($title: String) { updateTournament(id: "cup", input: { title: $title }) { id } }', { title });
const query = 'subscription { tournament(id: "cup") { kind id tournament { title club { id } } } }';
const eventOf = (title: string) => ({
  data: { tournament: { kind: 'CHANGED', id: 'cup', tournament: { title, club: { id: 'club' } } } },
});

test('a router receives changes over server-sent events', async () => {
  const stream = await subscribe(app, app.platform, query, {}, path, routerHeaders);
  await save('Open');
  await stream.until(1);
  await save('Masters');
  expect(await stream.until(2)).toEqual([eventOf('Open'), eventOf('Masters')]);
  stream.close();
});

const post = (body: object, headers: Record<string, string>) =>
  fetch(`${app.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...headers },
    body: JSON.stringify(body),
  });
/** Returns the data of the first event of a stream. */
const firstEventOf = async (response: Response) => {
  const [, data] = /event: next\ndata: (.*)\n\n/.exec(await response.text()) ?? [];
  return data === undefined ? null : JSON.parse(data);
};
/** `Accept` header that Hive Router sends. */
const accept = 'multipart/mixed;subscriptionSpec="1.0", text/event-stream';
/** Returns the number of listeners for changes. Once a stream has been opened, the number includes the watcher of revoked tokens. */
const listeners = () => app.resources.services.changes.subscriberCount;

test('rejects a subscription without the router secret', async () => {
  const response = await post({ query }, { accept: 'text/event-stream' });
  const { errors } = await response.json();
  expect({ status: response.status, code: errors[0].extensions.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
});

test('a router that subscribes with GET and accepts several stream formats receives server-sent events', async () => {
  const parameters = new URLSearchParams({ query });
  const aborting = new AbortController();
  const response = await fetch(`${app.origin}${path}?${parameters}`, {
    headers: { ...routerHeaders, 'pb-api-token': app.platform.platform, accept },
    signal: aborting.signal,
  });
  expect({ status: response.status, contentType: response.headers.get('content-type') }).toEqual({
    status: 200,
    contentType: 'text/event-stream',
  });
  aborting.abort();
});

const deep = `subscription { tournament(id: "cup") { tournament { ${'club { tournaments { nodes { '.repeat(8)} id ${'} } }'.repeat(8)} } } }`;
const rejections: [string, object, Record<string, string>, string][] = [
  ['an unknown record', { query: query.replace('cup', 'none') }, {}, 'NOT_FOUND'],
  ['an unknown field', { query: 'subscription { tournament(id: "cup") { kin } }' }, {}, 'BAD_INPUT'],
  ['an invalid cursor', { query: query.replace('"cup"', '"cup", after: "x"') }, {}, 'BAD_INPUT'],
  ['a deep selection', { query: deep }, {}, 'BAD_INPUT'],
  ['an unknown token', { query }, { 'pb-api-token': 'unknown' }, 'UNAUTHENTICATED'],
];
test.each(rejections)('rejects %s with an error event and status 200', async (_, body, headers, code) => {
  const response = await post(body, { ...routerHeaders, accept, ...headers });
  const { errors, data } = await firstEventOf(response);
  expect({ status: response.status, data: data ?? null, code: errors[0].extensions.code }).toEqual({
    status: 200,
    data: null,
    code,
  });
});

test('returns a query with JSON', async () => {
  const response = await post({ query: 'query subscription { tournament(id: "cup") { id } }' }, { ...routerHeaders });
  expect(await response.json()).toMatchObject({ data: { tournament: { id: 'cup' } } });
});

test('rejects a subscription that is sent as a persisted query', async () => {
  const text = `query A { __typename } subscription B { tournament(id: "cup") { id } }`;
  const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') };
  await post({ query: text, operationName: 'A', extensions: { persistedQuery } }, routerHeaders);
  const response = await post({ operationName: 'B', extensions: { persistedQuery } }, routerHeaders);
  const { errors } = await response.json();
  expect({ status: response.status, message: errors[0].message }).toEqual({
    status: 400,
    message: 'subscriptions cannot be sent as persisted queries: send the document',
  });
});

test('a subscription ends when the router disconnects', async () => {
  const before = listeners();
  const stream = await subscribe(app, app.platform, query, {}, path, routerHeaders);
  const during = listeners();
  stream.close();
  await expect.poll(listeners).toBe(before);
  expect(during).toBe(before + 1);
});

test('a revoked token ends the stream with UNAUTHENTICATED', async () => {
  const person = await app.person();
  const stream = await subscribe(app, { user: person.user }, query, {}, path, routerHeaders);
  await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
  const [last] = await stream.until(1);
  await stream.end;
  expect(last?.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
});

describe('the callback protocol', () => {
  let count = 0;
  /** Subscribes with a unique callback URL. The callback server responds with `status`. */
  async function subscribeWithCallback(
    options: object = {},
    { text = query, ...headers }: Record<string, string> = {},
    status = 204,
  ) {
    const id = `subscription-${count++}`;
    const callbacks: CallbackSubscription = { messages: [], status, failures: 0 };
    subscriptions.set(id, callbacks);
    const subscription = {
      callbackUrl: `${origin}/callback/${id}`,
      subscriptionId: id,
      verifier: 'v',
      heartbeatIntervalMs: 0,
      ...options,
    };
    const response = await post(
      { query: text, extensions: { subscription } },
      { ...routerHeaders, accept: 'application/json;callbackSpec=1.0', ...headers },
    );
    const expectMessages = async (...messages: Message[]) => {
      await expect.poll(() => callbacks.messages.length).toBeGreaterThanOrEqual(messages.length);
      expect(callbacks.messages).toEqual(messages.map((message) => ({ ...message, verifier: 'v', protocol: 'callback/1.0' })));
    };
    return { callbacks, response, expectMessages };
  }

  test('checks the callback URL, sends changes, and stops when the router responds with 404', async () => {
    const before = listeners();
    const { callbacks, response, expectMessages } = await subscribeWithCallback();
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: { data: null } });
    await save('Back');
    await expectMessages({ action: 'check' }, { action: 'next', payload: eventOf('Back') });
    callbacks.status = 404;
    await save('Gone');
    await expect.poll(listeners).toBe(before);
    expect(callbacks.messages).toHaveLength(3);
  });

  test('sends heartbeats, and a 404 response ends the subscription', async () => {
    const before = listeners();
    const { callbacks } = await subscribeWithCallback({ heartbeatIntervalMs: 100 });
    await expect.poll(() => callbacks.messages.length).toBeGreaterThan(3);
    expect(new Set(callbacks.messages.map(({ action }) => action))).toEqual(new Set(['check']));
    callbacks.status = 404;
    await expect.poll(listeners).toBe(before);
  });

  test('repeats a message to which the router responds with 503', async () => {
    const { callbacks } = await subscribeWithCallback();
    callbacks.failures = 2;
    await save('Again');
    await expect
      .poll(() => callbacks.messages.filter(({ protocol }) => protocol).map(({ payload }) => payload))
      .toEqual([undefined, eventOf('Again')]);
  });

  test('completes a rejected subscription with its errors', async () => {
    const { response, expectMessages } = await subscribeWithCallback({}, { text: query.replace('cup', 'none') });
    const error = { message: 'no tournament with the id none', path: ['tournament'], extensions: { code: 'NOT_FOUND' } };
    await expectMessages({ action: 'check' }, { action: 'complete', errors: [expect.objectContaining(error)] });
    expect(response.status).toBe(200);
  });

  test('sends UNAUTHENTICATED and completes when a token is revoked', async () => {
    const person = await app.person();
    const { expectMessages } = await subscribeWithCallback({}, { 'pb-api-token': '', 'pb-user-token': person.user });
    await app.sql.rows('delete from user_token where user_id = $1', [person.id]);
    const errors = [{ message: 'the token is unknown, expired or revoked', extensions: { code: 'UNAUTHENTICATED' } }];
    await expectMessages({ action: 'check' }, { action: 'next', payload: { data: null, errors } }, { action: 'complete' });
  });

  test('rejects a subscription whose callback check fails', async () => {
    const before = listeners();
    const { response } = await subscribeWithCallback({}, {}, 400);
    expect({ status: response.status, listeners: listeners() }).toEqual({ status: 400, listeners: before });
  });

  test.each([
    ['a callback URL of another host', { callbackUrl: 'http://169.254.169.254/callback/7' }, 'callbackUrl'],
    ['the allowed URL as credentials of another host', { callbackUrl: 'http://127.0.0.1@example.com/callback/7' }, 'callbackUrl'],
    ['an empty subscription ID', { subscriptionId: '' }, 'subscriptionId'],
    ['a heartbeat interval of 1 ms', { heartbeatIntervalMs: 1 }, 'heartbeatIntervalMs'],
  ])('rejects %s without a callback', async (_, options, field) => {
    const { response, callbacks } = await subscribeWithCallback(options);
    const { errors } = await response.json();
    expect({
      status: response.status,
      code: errors[0].extensions.code,
      field: errors[0].extensions.field,
      messages: callbacks.messages,
    }).toEqual({ status: 400, code: 'BAD_INPUT', field: `extensions.subscription.${field}`, messages: [] });
  });
});
