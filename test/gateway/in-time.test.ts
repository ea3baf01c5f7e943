import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { inTime } from '../../src/gateway/in-time.js';
import { portOf } from '../../src/port.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Has a listener answer within half a second; gives its port. */
async function serve(listener: RequestListener): Promise<number> {
  const { listener: timely, stop } = inTime(listener, 500, () => false);
  const server = createServer(timely).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    stop,
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return portOf(server);
}

const ask = (port: number) => fetch(`http://127.0.0.1:${port}/`);

test('who is not answered is told so, and what is answered afterwards is dropped', async () => {
  const port = await serve(async (_, response) => {
    await sleep(1_200);
    if (!response.writableEnded) response.end('late');
  });
  const response = await ask(port);
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '5',
    { errors: [{ message: 'the answer took too long', extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] },
  ]);
});

test('an answer that has begun comes to its end', async () => {
  const port = await serve(async (_, response) => {
    response.write('be');
    await sleep(1_000);
    response.end('gun');
  });
  expect(await (await ask(port)).text()).toBe('begun');
});

test('a body may take longer to arrive', async () => {
  const port = await serve((request, response) => void request.resume().once('end', () => response.end('read')));
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  closers.push(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1');
  await sleep(1_000);
  socket.write('2');
  const [answer] = await once(socket, 'data');
  expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
});
