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

/** Sends raw bytes. Returns everything that the server sends before it closes the connection. */
async function send(bytes: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const errorResponse = (code: number, message: string) =>
  new RegExp(
    `^HTTP/1.1 ${code} .*\r\nX-Request-Id: (\\d+)\r\n.*\r\n\r\n\\{"Code":${code},"Message":"${message}","Timestamp":\\d+,"RequestId":\\1\\}$`,
    's',
  );
const long = 'x'.repeat(20_000);

test.for<[string, string, RegExp]>([
  [
    'headers over the size limit',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`,
    errorResponse(431, 'headers: expected at most 16384 bytes'),
  ],
  ['bytes that are not HTTP', 'hello\r\n\r\n', errorResponse(400, 'expected a request in HTTP/1.1')],
  [
    'a malformed chunked body',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    errorResponse(400, 'expected a request in HTTP/1.1'),
  ],
])('rejects %s with the usual error body', async ([, bytes, expected]) => expect(await send(bytes)).toMatch(expected));

test('the error response to an invalid HEAD request has no body', async () => {
  const bytes = 'HEAD /\xff HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx';
  expect(await send(bytes)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n(?:[\w-]+: .*\r\n)+Connection: close\r\n\r\n$/);
});

test.each([
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n'],
  ['a request line without a version', 'GET /\r\n\r\n'],
])('rejects %s', async (_, bytes) => expect(await send(bytes)).toMatch(errorResponse(400, 'expected a request in HTTP/1.1')));

test('a refusal is read by a client that is still sending', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const response = text(socket);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 4000000\r\n\r\n');
  for (let sent = 0; sent < 40; sent++) {
    socket.write('x'.repeat(100_000));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(await response).toMatch(/^HTTP\/1.1 400 /);
});

test('an idle connection outlives what Keep-Alive announces', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = text(socket);
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await response).match(/served/g)).toHaveLength(2);
  expect(await response).toContain('Keep-Alive: timeout=5');
});
