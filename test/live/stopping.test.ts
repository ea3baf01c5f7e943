import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../src/port.js';
import { type Database, freshDatabase } from '../support/database.js';
import { subscribe } from '../support/live.js';
import { openSocket } from '../support/live-socket.js';
import { startService } from '../support/service.js';

const token = 'platform-of-the-stopping-test';
let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const query = 'subscription { changes { kind } }';

test('a service that is stopped ends its streams at once, so that their clients go elsewhere', { timeout: 60_000 }, async () => {
  const metrics = await freePort();
  const service = await startService({
    DATABASE_URL: database.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    METRICS_PORT: String(metrics),
    STREAMS_PER_CALLER: '3',
  });
  const told = async () => (await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).split('\n');
  const events = await subscribe(service, { platform: token }, query);
  const socket = await openSocket(service, { 'PB-API-TOKEN': token });
  socket.send({ type: 'connection_init' });
  await socket.until(1);
  socket.send({ id: '1', type: 'subscribe', payload: { query } }, { id: '2', type: 'subscribe', payload: { query } });
  await vi.waitFor(
    async () =>
      expect(await told()).toEqual(
        expect.arrayContaining([
          'courtside_subscriptions{transport="sse"} 1',
          'courtside_subscriptions{transport="websocket"} 2',
          'courtside_sockets 1',
        ]),
      ),
    { timeout: 15_000 },
  );
  socket.send({ id: '3', type: 'subscribe', payload: { query } });
  expect((await socket.until(2))[1]).toMatchObject({
    type: 'error',
    payload: [{ message: expect.stringMatching(/at most 3/), extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }],
  });
  const begun = performance.now();
  service.signal('SIGINT');
  expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
  await events.ended;
  expect(events.heard).toEqual([]);
  expect(await service.ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
