import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { liveCounts } from '../../src/gateway/live/counts.js';
import { startApp, type TestApp } from '../support/app.js';
import { subscribe } from '../support/live.js';
import { handshake, openSocket, rawConnection, subscribeBySocket } from '../support/live-socket.js';

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
// As much as 250,000 bytes an event.
const many = Array.from({ length: 25 }, (_, at) => `a${at}: logoUrl`).join(' ');
const query = `subscription { tournament(id: "cup") { kind tournament { ${many} } } }`;

/** A client that subscribes and then takes nothing more from its socket. */
async function overEvents(): Promise<Socket> {
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

/** A text as clients send it: masked by zeros. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const length = text.length < 126 ? Buffer.from([0x80 | text.length]) : Buffer.from([0xfe, text.length >> 8, text.length & 255]);
  return Buffer.concat([Buffer.from([0x81]), length, Buffer.alloc(4), text]);
}

async function overSocket(): Promise<Socket> {
  const raw = rawConnection(app).on('error', () => undefined);
  raw.write(handshake({ 'PB-API-TOKEN': app.platform.platform }));
  await once(raw, 'data');
  raw.write(frame({ type: 'connection_init' }));
  await once(raw, 'data');
  raw.write(frame({ id: '1', type: 'subscribe', payload: { query } }));
  return raw.pause();
}

test('who does not read is cut off, the others hear everything, and memory stays flat', { timeout: 60_000 }, async () => {
  const of = 5;
  const stuck = await Promise.all(Array.from({ length: 2 * of }, (_, at) => (at % 2 ? overEvents() : overSocket())));
  await vi.waitFor(() => expect(liveCounts.open).toEqual({ sse: of, websocket: of }));
  const readers = [await subscribe(app, app.platform, query), await subscribeBySocket(app, app.platform, query)];
  const before = process.memoryUsage().rss;
  const changes = 24;
  for (let number = 0; number < changes; number++) await save(`${number} ${'long '.repeat(1_990)}`);
  for (const reader of readers) expect(await reader.until(changes)).toHaveLength(changes);
  await vi.waitFor(() => expect(liveCounts.open).toEqual({ sse: 1, websocket: 1 }), { timeout: 20_000 });
  expect(liveCounts.cut.slow).toBe(2 * of);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(150);
  await save('after');
  for (const reader of readers) {
    expect(await reader.until(changes + 1)).toHaveLength(changes + 1);
    reader.close();
  }
  for (const raw of stuck) raw.destroy();
});

test('who has more changes wait than may wait is told so, counted, and comes back with the last cursor', {
  timeout: 60_000,
}, async () => {
  await vi.waitFor(() => expect(liveCounts.open).toEqual({ sse: 0, websocket: 0 }));
  const of = [subscribe, subscribeBySocket] as const;
  const streams = await Promise.all(
    of.map((by) => by(app, app.platform, 'subscription { changes(records: ["Team"]) { cursor node { nodeId } } }')),
  );
  const before = liveCounts.cut.slow;
  await app.sql.rows(`insert into team (id) select 'many ' || n from generate_series(1, 6000) n`);
  for (const stream of streams) {
    await stream.ended;
    const last = stream.heard.at(-1);
    expect([last?.data, last?.errors?.[0]?.extensions.code]).toEqual([null, 'UNAVAILABLE']);
  }
  expect(liveCounts.cut.slow - before).toBe(2);
});

test('a client that sends pings and reads none of the answers is cut off', { timeout: 30_000 }, async () => {
  const socket = await openSocket(app);
  socket.socket.pause();
  const closed = once(socket.socket, 'close');
  const payload = { filler: 'x'.repeat(20_000) };
  const sending = setInterval(() => {
    for (let number = 0; number < 50; number++) socket.send({ type: 'ping', payload });
  }, 10);
  await vi.waitFor(() => expect(liveCounts.sockets).toBe(0), { timeout: 25_000 });
  clearInterval(sending);
  socket.socket.terminate();
  await closed;
});
