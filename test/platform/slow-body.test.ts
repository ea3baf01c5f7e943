import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrivalLimit, type Listening, listen } from '../../src/lifecycle/listen.js';

let server: Listening;
beforeAll(async () => {
  server = await listen(
    (request, response) => request.resume().once('end', () => response.end('served')),
    { host: '127.0.0.1', port: 0 },
    null,
    { timeout: 500, checkInterval: 100 },
  );
});
afterAll(() => server.close());

test('a body that arrives byte by byte is cut off at the timeout', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const response = text(socket);
  const closed = once(socket, 'close');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const drip = setInterval(() => socket.writable && socket.write('x'), 50);
  await closed;
  clearInterval(drip);
  expect(await response).toMatch(/^HTTP\/1.1 408 /);
});

test('slow requests are cut off within 30 s', () => {
  expect(arrivalLimit.timeout + arrivalLimit.checkInterval).toBeLessThan(30_000);
});
