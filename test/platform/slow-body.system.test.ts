import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../../src/lifecycle/listen.js';

let server: Listening;
beforeAll(async () => {
  server = await listen((request, response) => request.resume().once('end', () => response.end('served')), {
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(() => server.close());

test('a body that arrives byte by byte is cut off within 30 s', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const response = text(socket);
  const closed = once(socket, 'close');
  const startedAt = performance.now();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const drip = setInterval(() => socket.writable && socket.write('x'), 200);
  await closed;
  clearInterval(drip);
  expect({ isInTime: performance.now() - startedAt < 30_000, response: await response }).toEqual({
    isInTime: true,
    response: expect.stringMatching(/^HTTP\/1.1 408 /),
  });
}, 40_000);
