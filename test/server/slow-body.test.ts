import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrivalLimit, type ListeningServer, listen } from '../../src/server/lifecycle/listen.js';

let server: ListeningServer;
beforeAll(async () => {
  server = await listen(
    (request, response) => {
      request.resume();
      if (request.url === '/early') response.end('served');
      else request.once('end', () => response.end('served'));
    },
    { host: '127.0.0.1', port: 0 },
    null,
    { timeout: 500, checkInterval: 100 },
  );
});
afterAll(() => server.close());

/** Sends a body byte by byte until the server closes the connection. Returns everything that the server sent. */
async function drip(path: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const response = text(socket);
  const closed = once(socket, 'close');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`);
  const timer = setInterval(() => socket.writable && socket.write('x'), 50);
  await closed;
  clearInterval(timer);
  return response;
}

test('a body that arrives byte by byte is cut off at the timeout', async () => {
  expect(await drip('/')).toMatch(/^HTTP\/1.1 408 /);
});

test('a request that got a response before its body arrived gets no second response at the timeout', async () => {
  expect((await drip('/early')).match(/HTTP\/1.1 \d+|served/g)).toEqual(['HTTP/1.1 200', 'served']);
});

test('slow requests are cut off within 30 s', () => {
  expect(arrivalLimit.timeout + arrivalLimit.checkInterval).toBeLessThan(30_000);
});
