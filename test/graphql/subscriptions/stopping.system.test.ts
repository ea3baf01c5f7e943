import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../src/process/port.js';
import { type OpenSubscription, subscribe } from '../../support/clients/event-stream.js';
import { openSocket, type RawSocket } from '../../support/clients/websocket.js';
import { startService } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

const token = 'platform-of-the-stopping-test';
const query = 'subscription { changes { kind } }';

// Opens as many streams as STREAMS_PER_CALLER allows: an event stream, and a socket with two subscriptions.
let database: Database;
let service: Awaited<ReturnType<typeof startService>>;
let metricsPort: number;
let eventStream: OpenSubscription;
let socket: RawSocket;
beforeAll(async () => {
  database = await freshDatabase();
  metricsPort = await freePort();
  service = await startService({
    DATABASE_URL: database.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    METRICS_PORT: String(metricsPort),
    STREAMS_PER_CALLER: '3',
  });
  eventStream = await subscribe(service, { platform: token }, query);
  socket = await openSocket(service, { 'PB-API-TOKEN': token });
  socket.send({ type: 'connection_init' });
  await socket.until(1);
  socket.send({ id: '1', type: 'subscribe', payload: { query } }, { id: '2', type: 'subscribe', payload: { query } });
});
afterAll(() => database.drop());

test('metrics count the open subscriptions of each transport, and the sockets', async () => {
  const metrics = async () => (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).split('\n');
  await expect
    .poll(metrics)
    .toEqual(
      expect.arrayContaining([
        'courtside_subscriptions{transport="sse"} 1',
        'courtside_subscriptions{transport="websocket"} 2',
        'courtside_sockets 1',
      ]),
    );
});

test('rejects more subscriptions of a caller than STREAMS_PER_CALLER', async () => {
  socket.send({ id: '3', type: 'subscribe', payload: { query } });
  expect((await socket.until(2))[1]).toMatchObject({
    type: 'error',
    payload: [{ message: expect.stringMatching(/at most 3/), extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }],
  });
});

test('a service that stops closes its streams, so that clients reconnect elsewhere', async () => {
  service.signal('SIGINT');
  expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
  await eventStream.end;
  expect(eventStream.events).toEqual([]);
  // A service whose streams stay open is killed after 25 s. That is longer than the timeout of this test.
  expect(await service.exit).toBe(0);
});
