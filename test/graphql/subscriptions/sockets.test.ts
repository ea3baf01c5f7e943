import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { subscriptionCounts } from '../../../src/graphql/subscriptions/connections.js';
import { exchange, handshake, openSocket, rawConnection, subscribeBySocket } from '../../support/clients/websocket.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ CORS_ORIGINS: 'https://listed.example' });
  await save('Cup');
});
afterAll(() => app.close());
afterEach(() => expect.poll(() => subscriptionCounts.sockets).toBe(0));

const save = (title: string) =>
  app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: { id: 'cup', title } });
const cupSubscription = 'subscription { tournament(id: "cup") { kind cursor tournament { title } } }';
const init = (payload?: object) => ({ type: 'connection_init', ...(payload ? { payload } : {}) });
const operation = (query: string, id = '1', payload: object = {}) => ({ id, type: 'subscribe', payload: { query, ...payload } });
const asPlatform = () => ({ 'PB-API-TOKEN': app.platform.platform });
/** Opens a socket and waits until its `connection_init` is acknowledged. */
const initializedSocket = async (headers: Record<string, string> = asPlatform()) => {
  const socket = await openSocket(app, headers);
  socket.send(init());
  await socket.until(1);
  return socket;
};

test('a subscription over a socket receives the changes of a tournament', async () => {
  const stream = await subscribeBySocket(app, app.platform, cupSubscription);
  await save('Open');
  // Waits for the first event, because an event contains the state of the record at the time of sending.
  await stream.until(1);
  await save('Masters');
  const event = (title: string) => ({
    data: { tournament: { kind: 'CHANGED', cursor: expect.any(String), tournament: { title } } },
  });
  expect(await stream.until(2)).toEqual([event('Open'), event('Masters')]);
  await stream.client.dispose();
});

test('a socket carries several subscriptions, and a completed one receives no more events', async () => {
  const socket = await initializedSocket();
  socket.send(operation(cupSubscription, 'a'), operation('subscription { changes(records: ["Tournament"]) { record } }', 'b'));
  await expect.poll(() => subscriptionCounts.open.websocket).toBe(2);
  await save('Both');
  await socket.until(3);
  socket.send({ id: 'a', type: 'complete' });
  await expect.poll(() => subscriptionCounts.open.websocket).toBe(1);
  await save('One');
  const ids = (await socket.until(4)).slice(1).map(({ id }) => id);
  expect({ beforeComplete: ids.slice(0, 2).toSorted(), afterComplete: ids.slice(2) }).toEqual({
    beforeComplete: ['a', 'b'],
    afterComplete: ['b'],
  });
  socket.socket.close();
});

const deep = (levels: number): object => (levels ? [deep(levels - 1)] : {});

const rejections: [name: string, message: object, error: { code: string; message?: RegExp }][] = [
  ['a query', operation('{ roles { totalCount } }'), { code: 'BAD_INPUT', message: /expected a subscription/ }],
  ['a mutation', operation('mutation { upsertTournament(input: { id: "x" }) { id } }'), { code: 'BAD_INPUT' }],
  ['introspection', operation('{ __schema { types { name } } }'), { code: 'BAD_INPUT' }],
  ['a syntax error', operation('subscription {'), { code: 'BAD_INPUT', message: /Syntax Error/ }],
  ['an unknown field', operation('subscription { nothing }'), { code: 'BAD_INPUT', message: /Cannot query field/ }],
  [
    'a skipped field',
    operation('subscription { ... { tournament(id: "cup") @skip(if: true) { kind } } }'),
    { code: 'BAD_INPUT', message: /without @skip and @include/ },
  ],
  [
    'a field with a condition',
    operation('subscription ($yes: Boolean!) { tournament(id: "cup") @include(if: $yes) { kind } }', '1', {
      variables: { yes: true },
    }),
    { code: 'BAD_INPUT', message: /without @skip and @include/ },
  ],
  ['an unknown ID', operation('subscription { tournament(id: "no") { kind } }'), { code: 'NOT_FOUND' }],
  ['an invalid cursor', operation('subscription { tournament(id: "cup", after: "x") { kind } }'), { code: 'BAD_INPUT' }],
  [
    'deeply nested variables',
    operation(cupSubscription, '1', { variables: { a: deep(200) } }),
    { code: 'BAD_INPUT', message: /levels/ },
  ],
  ['a long document', operation(`${cupSubscription}${' '.repeat(120_000)}`), { code: 'BAD_INPUT', message: /characters/ }],
  [
    'an unknown persisted document',
    operation('', '1', { extensions: { persistedQuery: { version: 1, sha256Hash: 'ab' } } }),
    { code: 'PERSISTED_QUERY_NOT_FOUND' },
  ],
];

test('rejects operations with the errors of HTTP, and the socket stays open', async () => {
  const socket = await initializedSocket();
  for (const [index, [name, message, error]] of rejections.entries()) {
    socket.send(message);
    const answer = (await socket.until(index + 2))[index + 1];
    expect(answer, name).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: error.code } }] });
    if (error.message) expect(JSON.stringify(answer?.payload), name).toMatch(error.message);
  }
  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  socket.socket.close();
});

test('rejects each subscription of a socket without a token', async () => {
  const socket = await initializedSocket({});
  socket.send(operation(cupSubscription));
  expect((await socket.until(2))[1]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  socket.socket.close();
});

test('closes a socket with an unknown token', async () => {
  const socket = await openSocket(app);
  socket.send(init({ 'PB-USER-TOKEN': 'unknown' }));
  expect(await socket.closed).toEqual({ code: 4401, reason: 'the token is unknown, expired or revoked' });
});

describe('tokens', () => {
  let user: string;
  beforeAll(async () => {
    ({ user } = await app.person());
  });

  test.each<[name: string, payload: () => object]>([
    ['Authorization', () => ({ authorization: `Bearer ${user}` })],
    ['PB-USER-TOKEN, in any case and among other values', () => ({ 'Pb-User-Token': user, unrelated: { any: 1 } })],
  ])('the payload of connection_init may have %s', async (_, payload) => {
    const socket = await openSocket(app);
    socket.send(init(payload()));
    await socket.until(1);
    socket.send(operation(cupSubscription));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(socket.messages).toEqual([{ type: 'connection_ack' }]);
    socket.socket.close();
  });

  test.each<[name: string, headers: () => Record<string, string>, payload: object, reason: RegExp]>([
    [
      'two values of PB-USER-TOKEN',
      () => ({ 'PB-USER-TOKEN': user }),
      { 'pb-user-token': 'another' },
      /PB-USER-TOKEN: expected one value/,
    ],
    [
      'PB-USER-TOKEN and another Authorization',
      () => ({ 'PB-USER-TOKEN': user }),
      { authorization: 'Bearer another' },
      /Authorization: expected/,
    ],
    ['a number as PB-API-TOKEN', () => ({}), { 'PB-API-TOKEN': 7 }, /PB-API-TOKEN: expected printable ASCII text/],
  ])('%s close the socket', async (_, headers, payload, reason) => {
    const socket = await openSocket(app, headers());
    socket.send(init(payload));
    expect(await socket.closed).toEqual({ code: 4400, reason: expect.stringMatching(reason) });
  });
});

test('accepts origins in CORS_ORIGINS, and with a publishable key only the origins of the key', async () => {
  const { createPublishableKey } = await app.graphql(
    'mutation { createPublishableKey(input: { label: "Page", allowedOrigins: ["https://page.example"] }) { key } }',
  );
  const { key } = createPublishableKey;
  /** Returns the close code of a socket, or 0 if its `connection_init` is acknowledged. */
  const closeCodeOf = async (origin: string, payload: object) => {
    const socket = await openSocket(app, { origin });
    socket.send(init(payload));
    const { code } = await Promise.race([socket.closed, socket.until(1).then(() => ({ code: 0 }))]);
    socket.socket.close();
    return code;
  };
  expect({
    unlistedOrigin: await closeCodeOf('https://other.example', asPlatform()),
    listedOrigin: await closeCodeOf('https://listed.example', asPlatform()),
    keyAtItsOrigin: await closeCodeOf('https://page.example', { 'PB-API-TOKEN': key }),
    keyAtListedOrigin: await closeCodeOf('https://listed.example', { 'PB-API-TOKEN': key }),
  }).toEqual({ unlistedOrigin: 4403, listedOrigin: 0, keyAtItsOrigin: 0, keyAtListedOrigin: 4403 });
});

describe('protocol violations', () => {
  test.each<[name: string, code: number, messages: () => (object | string)[]]>([
    ['invalid JSON', 4400, () => ['{']],
    ['an unknown message type', 4400, () => [{ type: 'start' }]],
    ['a message without an ID', 4400, () => [init(), { type: 'subscribe', payload: { query: cupSubscription } }]],
    ['a long ID', 4400, () => [init(), operation(cupSubscription, 'i'.repeat(200))]],
    ['a second connection_init', 4429, () => [init(), init()]],
    ['an operation before connection_init', 4401, () => [operation(cupSubscription)]],
    ['two operations with one ID', 4409, () => [init(asPlatform()), operation(cupSubscription), operation(cupSubscription)]],
    ['a long message', 1009, () => [init(), 'x'.repeat(300_000)]],
  ])('%s closes the socket with code %i', async (_, code, messages) => {
    const socket = await openSocket(app);
    const [first, ...others] = messages();
    socket.send(first ?? '');
    // Waits for the acknowledgment, because the service rejects all other messages before it.
    if (others.length > 0) await socket.until(1);
    socket.send(...others);
    expect((await socket.closed).code).toBe(code);
  });

  test('a socket without the subprotocol closes with code 4406', async () => {
    const socket = await openSocket(app, {}, []);
    expect((await socket.closed).code).toBe(4406);
  });

  test('a socket without connection_init closes with code 4408', async () => {
    const socket = await openSocket(app);
    expect((await socket.closed).code).toBe(4408);
  });
});

test('a socket has at most 100 concurrent operations', async () => {
  const socket = await initializedSocket();
  for (let number = 0; number < 101; number++) socket.send(operation(cupSubscription, String(number)));
  expect((await socket.until(2))[1]).toMatchObject({
    id: '100',
    type: 'error',
    payload: [{ extensions: { code: 'UNAVAILABLE' } }],
  });
  socket.socket.close();
});

test('an upgrade request at another path or to another protocol is handled as a plain request, and an invalid one is rejected', async () => {
  const status = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  const closing = { Connection: 'Upgrade, close' };
  expect({
    unknownPath: status(await exchange(app, handshake(closing, 'GET /nothing HTTP/1.1'))),
    legacyPath: status(await exchange(app, handshake(closing, 'GET /v1/data/teams HTTP/1.1'))),
    http2: status(await exchange(app, handshake({ ...closing, Upgrade: 'h2c' }))),
    invalidKey: status(await exchange(app, handshake({ 'Sec-WebSocket-Key': 'x' }))),
    missingKey: status(await exchange(app, handshake({ 'Sec-WebSocket-Key': null }))),
    unsupportedVersion: status(await exchange(app, handshake({ 'Sec-WebSocket-Version': '7' }))),
    invalidSubprotocol: status(await exchange(app, handshake({ 'Sec-WebSocket-Protocol': 'a,,b' }))),
  }).toEqual({
    unknownPath: 404,
    legacyPath: 401,
    http2: 400,
    invalidKey: 400,
    missingKey: 400,
    unsupportedVersion: 426,
    invalidSubprotocol: 400,
  });
});

test.each([
  ['reserved bits', Buffer.from([0xff, 0xff, 0xff])],
  ['no mask', Buffer.from([0x81, 0x05])],
  ['less data than its length', Buffer.from([0x81, 0xfe, 0xff, 0xff])],
  ['zeros only', Buffer.alloc(64)],
])('a frame with %s and a broken connection leave no socket open', async (_, frame) => {
  const raw = rawConnection(app);
  raw.on('error', () => undefined).resume();
  raw.write(handshake());
  await once(raw, 'data');
  raw.write(frame);
  setTimeout(() => raw.destroy(), 50);
  // `once` of `node:events` would reject if the server resets the connection.
  await new Promise((resolve) => raw.once('close', resolve));
  await expect
    .poll(() => ({ sockets: subscriptionCounts.sockets, open: subscriptionCounts.open.websocket }))
    .toEqual({ sockets: 0, open: 0 });
  await save('Still there');
});
