import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { liveCounts } from '../../src/gateway/live/counts.js';
import { startApp, type TestApp } from '../support/app.js';
import { exchange, handshake, openSocket, rawConnection, subscribeBySocket } from '../support/live-socket.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ CORS_ORIGINS: 'https://listed.example' });
  await save('Cup');
});
afterAll(() => app.close());
afterEach(() => vi.waitFor(() => expect(liveCounts.sockets).toBe(0)));

const save = (title: string) =>
  app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: { id: 'cup', title } });
const ofCup = 'subscription { tournament(id: "cup") { kind cursor tournament { title } } }';
const init = (payload?: object) => ({ type: 'connection_init', ...(payload ? { payload } : {}) });
const operation = (query: string, id = '1', more: object = {}) => ({ id, type: 'subscribe', payload: { query, ...more } });
const asPlatform = () => ({ 'PB-API-TOKEN': app.platform.platform });
const ready = async (headers: Record<string, string> = asPlatform()) => {
  const socket = await openSocket(app, headers);
  socket.send(init());
  await socket.until(1);
  return socket;
};

test('a change of a tournament is told over a socket as over server-sent events', async () => {
  const stream = await subscribeBySocket(app, app.platform, ofCup);
  await save('Open');
  // An event shows the record as it is when it is told.
  await stream.until(1);
  await save('Masters');
  const event = (title: string) => ({
    data: { tournament: { kind: 'CHANGED', cursor: expect.any(String), tournament: { title } } },
  });
  expect(await stream.until(2)).toEqual([event('Open'), event('Masters')]);
  await stream.client.dispose();
});

test('the same socket has several subscriptions, and those that are complete are told nothing', async () => {
  const socket = await ready();
  socket.send(operation(ofCup, 'a'), operation('subscription { changes(records: ["Tournament"]) { record } }', 'b'));
  await vi.waitFor(() => expect(liveCounts.open.websocket).toBe(2));
  await save('Both');
  await socket.until(3);
  socket.send({ id: 'a', type: 'complete' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await save('One');
  const told = await socket.until(4);
  expect(
    told
      .slice(1, 3)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['a', 'b']);
  expect(told.slice(3).map(({ id }) => id)).toEqual(['b']);
  socket.socket.close();
});

const deep = (levels: number): object => (levels ? [deep(levels - 1)] : {});

const refusals: [what: string, sent: object, error: object][] = [
  ['a query', operation('{ roles { totalCount } }'), { code: 'BAD_INPUT', message: /expected a subscription/ }],
  ['a mutation', operation('mutation { upsertTournament(input: { id: "x" }) { id } }'), { code: 'BAD_INPUT' }],
  ['introspection', operation('{ __schema { types { name } } }'), { code: 'BAD_INPUT' }],
  ['what is no document', operation('subscription {'), { code: 'BAD_INPUT', message: /Syntax Error/ }],
  ['an unknown field', operation('subscription { nothing }'), { code: 'BAD_INPUT', message: /Cannot query field/ }],
  [
    'a field that is left out',
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
  ['an id that nothing has', operation('subscription { tournament(id: "no") { kind } }'), { code: 'NOT_FOUND' }],
  ['a cursor that is none', operation('subscription { tournament(id: "cup", after: "x") { kind } }'), { code: 'BAD_INPUT' }],
  [
    'values that are nested too deep',
    operation(ofCup, '1', { variables: { a: deep(200) } }),
    { code: 'BAD_INPUT', message: /levels/ },
  ],
  ['a document that is too long', operation(`${ofCup}${' '.repeat(120_000)}`), { code: 'BAD_INPUT', message: /characters/ }],
  [
    'a persisted document that nobody has sent',
    operation('', '1', { extensions: { persistedQuery: { version: 1, sha256Hash: 'ab' } } }),
    { code: 'PERSISTED_QUERY_NOT_FOUND' },
  ],
];

test('what HTTP refuses is refused with the same errors, and the socket stays open', async () => {
  const socket = await ready();
  for (const [index, [what, sent, { code, message }]] of (refusals as [string, object, Record<string, unknown>][]).entries()) {
    socket.send(sent);
    const told = (await socket.until(index + 2))[index + 1];
    expect(told, what).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code } }] });
    if (message) expect(JSON.stringify(told?.payload), what).toMatch(message as RegExp);
  }
  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  socket.socket.close();
});

test('who sends no token is refused each subscription, and who sends an unknown one the socket', async () => {
  const nobody = await ready({});
  nobody.send(operation(ofCup));
  expect((await nobody.until(2))[1]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  nobody.socket.close();
  const unknown = await openSocket(app);
  unknown.send(init({ 'PB-USER-TOKEN': 'unknown' }));
  expect(await unknown.closed).toEqual({ code: 4401, reason: 'the token is unknown, expired or revoked' });
});

test('tokens may stand in the request or in the first message, in any case, and may not contradict each other', async () => {
  const { user } = await app.person();
  for (const payload of [{ authorization: `Bearer ${user}` }, { 'Pb-User-Token': user, unrelated: { any: 1 } }]) {
    const socket = await openSocket(app);
    socket.send(init(payload));
    await socket.until(1);
    socket.send(operation(ofCup));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(socket.told).toEqual([{ type: 'connection_ack' }]);
    socket.socket.close();
  }
  for (const [headers, payload, reason] of [
    [{ 'PB-USER-TOKEN': user }, { 'pb-user-token': 'another' }, /PB-USER-TOKEN: expected one value/],
    [{ 'PB-USER-TOKEN': user }, { authorization: 'Bearer another' }, /Authorization: expected/],
    [{}, { 'PB-API-TOKEN': 7 }, /PB-API-TOKEN: expected a text/],
  ] as const) {
    const socket = await openSocket(app, headers);
    socket.send(init(payload));
    expect(await socket.closed).toEqual({ code: 4400, reason: expect.stringMatching(reason) });
  }
});

test('pages of an origin that is not listed are refused, and a publishable key is for pages of its own', async () => {
  const { createPublishableKey } = await app.graphql(
    'mutation { createPublishableKey(input: { label: "Page", allowedOrigins: ["https://page.example"] }) { key } }',
  );
  const { key } = createPublishableKey;
  const closedWith = async (origin: string, payload: object) => {
    const socket = await openSocket(app, { origin });
    socket.send(init(payload));
    const { code } = await Promise.race([socket.closed, socket.until(1).then(() => ({ code: 0 }))]);
    socket.socket.close();
    return code;
  };
  expect([
    await closedWith('https://other.example', asPlatform()),
    await closedWith('https://listed.example', asPlatform()),
    await closedWith('https://page.example', { 'PB-API-TOKEN': key }),
    await closedWith('https://listed.example', { 'PB-API-TOKEN': key }),
  ]).toEqual([4403, 0, 0, 4403]);
});

test('what is against the protocol closes the socket with its code', async () => {
  const closes: [what: string, code: number, ...sent: (object | string)[]][] = [
    ['no JSON', 4400, '{'],
    ['an unknown type', 4400, { type: 'start' }],
    ['a message without an id', 4400, init(), { type: 'subscribe', payload: { query: ofCup } }],
    ['an id that is too long', 4400, init(), operation(ofCup, 'i'.repeat(200))],
    ['two first messages', 4429, init(), init()],
    ['an operation first', 4401, operation(ofCup)],
    ['two operations of one id', 4409, init(asPlatform()), operation(ofCup), operation(ofCup)],
    ['a message that is too long', 1009, init(), 'x'.repeat(300_000)],
  ];
  for (const [what, code, ...sent] of closes) {
    const socket = await openSocket(app);
    for (const message of sent) {
      socket.send(message);
      // The first message is answered before the next one counts.
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect((await socket.closed).code, what).toBe(code);
  }
  const other = await openSocket(app, {}, []);
  expect((await other.closed).code).toBe(4406);
  const silent = await openSocket(app);
  expect((await silent.closed).code).toBe(4408);
});

test('a socket has at most a hundred operations at once', async () => {
  const socket = await ready();
  for (let number = 0; number < 101; number++) socket.send(operation(ofCup, String(number)));
  expect((await socket.until(2))[1]).toMatchObject({
    id: '100',
    type: 'error',
    payload: [{ extensions: { code: 'UNAVAILABLE' } }],
  });
  socket.socket.close();
});

test('other paths and protocols are answered as if they had asked for none, and broken requests are refused', async () => {
  const status = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  const lastly = { Connection: 'Upgrade, close' };
  expect({
    'another path': status(await exchange(app, handshake(lastly, 'GET /nothing HTTP/1.1'))),
    'of /v1': status(await exchange(app, handshake(lastly, 'GET /v1/data/teams HTTP/1.1'))),
    'HTTP/2': status(await exchange(app, handshake({ ...lastly, Upgrade: 'h2c' }))),
    'a broken key': status(await exchange(app, handshake({ 'Sec-WebSocket-Key': 'x' }))),
    'no key': status(await exchange(app, handshake({ 'Sec-WebSocket-Key': null }))),
    'another version': status(await exchange(app, handshake({ 'Sec-WebSocket-Version': '7' }))),
    'a broken protocol': status(await exchange(app, handshake({ 'Sec-WebSocket-Protocol': 'a,,b' }))),
  }).toEqual({
    'another path': 404,
    'of /v1': 401,
    'HTTP/2': 400,
    'a broken key': 400,
    'no key': 400,
    'another version': 426,
    'a broken protocol': 400,
  });
});

test('frames that are broken close the socket, and connections that break leave nothing behind', async () => {
  const frames = [
    Buffer.from([0xff, 0xff, 0xff]),
    Buffer.from([0x81, 0x05]),
    Buffer.from([0x81, 0xfe, 0xff, 0xff]),
    Buffer.alloc(64),
  ];
  for (const frame of frames) {
    const raw = rawConnection(app);
    raw.on('error', () => undefined).resume();
    raw.write(handshake());
    await once(raw, 'data');
    raw.write(frame);
    setTimeout(() => raw.destroy(), 50);
    await once(raw, 'close');
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect({ sockets: liveCounts.sockets, open: liveCounts.open.websocket }).toEqual({ sockets: 0, open: 0 });
  await save('Still there');
});
