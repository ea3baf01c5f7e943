import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCounts } from '../../../src/graphql/subscriptions/connections.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { handshake, openSocket, rawConnection, subscribeBySocket } from '../../support/clients/websocket.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await save('of the cup');
});
afterAll(() => app.close());

const save = async (logoUrl: string) => {
  const answer = await app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', {
    input: { id: 'cup', logoUrl },
  });
  expect(answer).toEqual({ upsertTournament: { id: 'cup' } });
};
// Each event is up to 250,000 bytes.
const aliases = Array.from({ length: 25 }, (_, index) => `a${index}: logoUrl`).join(' ');
const query = `subscription { tournament(id: "cup") { kind tournament { ${aliases} } } }`;

/** Subscribes over server-sent events and then stops reading. */
async function stuckEventStream(): Promise<Socket> {
  const body = JSON.stringify({ query });
  const raw = rawConnection(app).on('error', () => undefined);
  raw.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nPB-API-TOKEN: ${app.platform.platform}\r\nAccept: text/event-stream\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [head] = await once(raw, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*content-type: text\/event-stream/i);
  return raw.pause();
}

/** Returns a WebSocket text frame as a client sends it, with a mask of zeros. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const length = text.length < 126 ? Buffer.from([0x80 | text.length]) : Buffer.from([0xfe, text.length >> 8, text.length & 255]);
  return Buffer.concat([Buffer.from([0x81]), length, Buffer.alloc(4), text]);
}

/** Subscribes over a WebSocket and then stops reading. */
async function stuckWebSocket(): Promise<Socket> {
  const raw = rawConnection(app).on('error', () => undefined);
  raw.write(handshake({ 'PB-API-TOKEN': app.platform.platform }));
  await once(raw, 'data');
  raw.write(frame({ type: 'connection_init' }));
  await once(raw, 'data');
  raw.write(frame({ id: '1', type: 'subscribe', payload: { query } }));
  return raw.pause();
}

test('slow readers are disconnected, other subscribers receive all events, and memory stays flat', {
  timeout: 60_000,
}, async () => {
  const stuckPerTransport = 5;
  const stuck = await Promise.all(Array.from({ length: stuckPerTransport }, () => [stuckEventStream(), stuckWebSocket()]).flat());
  await expect.poll(() => subscriptionCounts.open).toEqual({ sse: stuckPerTransport, websocket: stuckPerTransport });
  const readers = [await subscribe(app, app.platform, query), await subscribeBySocket(app, app.platform, query)];
  const memoryBefore = process.memoryUsage().rss;
  const changes = 24;
  for (let number = 0; number < changes; number++) await save(`${number} ${'long '.repeat(1_990)}`);
  for (const reader of readers) expect(await reader.until(changes)).toHaveLength(changes);
  await expect.poll(() => subscriptionCounts.open, { timeout: 20_000 }).toEqual({ sse: 1, websocket: 1 });
  expect(subscriptionCounts.ended.slow).toBe(2 * stuckPerTransport);
  expect((process.memoryUsage().rss - memoryBefore) / 2 ** 20).toBeLessThan(150);
  await save('after');
  for (const reader of readers) {
    expect(await reader.until(changes + 1)).toHaveLength(changes + 1);
    reader.close();
  }
  for (const socket of stuck) socket.destroy();
});

test('a subscription with too many pending changes ends with UNAVAILABLE and is counted as slow', {
  timeout: 60_000,
}, async () => {
  await expect.poll(() => subscriptionCounts.open).toEqual({ sse: 0, websocket: 0 });
  const transports = [subscribe, subscribeBySocket] as const;
  const streams = await Promise.all(
    transports.map((open) => open(app, app.platform, 'subscription { changes(records: ["Team"]) { cursor node { nodeId } } }')),
  );
  const slowBefore = subscriptionCounts.ended.slow;
  await app.sql.rows(`insert into team (id) select 'many ' || n from generate_series(1, 6000) n`);
  for (const stream of streams) {
    await stream.end;
    const last = stream.events.at(-1);
    expect({ data: last?.data, code: last?.errors?.[0]?.extensions.code }).toEqual({ data: null, code: 'UNAVAILABLE' });
  }
  expect(subscriptionCounts.ended.slow - slowBefore).toBe(2);
});

test('a client that sends pings without reading the pongs is disconnected', { timeout: 30_000 }, async () => {
  const socket = await openSocket(app);
  socket.socket.pause();
  const closed = once(socket.socket, 'close');
  const payload = { filler: 'x'.repeat(20_000) };
  const sending = setInterval(() => {
    for (let number = 0; number < 50; number++) socket.send({ type: 'ping', payload });
  }, 10);
  await expect.poll(() => subscriptionCounts.sockets, { timeout: 25_000 }).toBe(0);
  clearInterval(sending);
  socket.socket.terminate();
  await closed;
});
