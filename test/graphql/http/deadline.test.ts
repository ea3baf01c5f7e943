import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { withDeadline } from '../../../src/graphql/limits/deadline.js';
import type { FinishedRequest } from '../../../src/kernel/monitoring/request-facts.js';
import { portOf } from '../../../src/process/port.js';
import { observeRequests } from '../../../src/server/observe-requests.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Reasons for unavailability that the finished requests reported. Undefined if a request reported none. */
const reportedReasons: (string | undefined)[] = [];

/** Starts a server with a request timeout of half a second. Returns its port. */
async function serve(listener: RequestListener): Promise<number> {
  const { listener: listenerWithTimeout, stop } = withDeadline(listener, 500, () => false);
  const report = ({ unavailability }: FinishedRequest) => reportedReasons.push(unavailability?.reason);
  const server = createServer(observeRequests(listenerWithTimeout, report)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    stop,
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return portOf(server);
}

const get = (port: number) => fetch(`http://127.0.0.1:${port}/`);

test('a request whose response is late gets 503, and the late response is discarded', async () => {
  const port = await serve(async (_, response) => {
    await sleep(1_200);
    if (!response.writableEnded) response.end('late');
  });
  const response = await get(port);
  expect({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
    reportedReasons,
  }).toEqual({
    status: 503,
    retryAfter: '5',
    reportedReasons: ['deadline'],
    body: { errors: [{ message: 'the response took too long', extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] },
  });
});

test('a response that starts before the timeout is sent completely', async () => {
  const port = await serve(async (_, response) => {
    response.write('be');
    await sleep(1_000);
    response.end('gun');
  });
  expect(await (await get(port)).text()).toBe('begun');
});

test('the timeout starts when the request body has arrived', async () => {
  const port = await serve((request, response) => void request.resume().once('end', () => response.end('read')));
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  closers.push(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1');
  await sleep(1_000);
  socket.write('2');
  const [answer] = await once(socket, 'data');
  expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
});
