import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../../src/server/lifecycle/listen.js';

let server: ListeningServer;
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
  ['no Host header', 'GET / HTTP/1.1\r\n\r\n'],
  ['HTTP/2 without negotiation', 'GET / HTTP/2.0\r\nHost: localhost\r\n\r\n'],
  ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a request line without a version', 'GET /\r\n\r\n'],
])('rejects %s', async (_, bytes) => expect(await send(bytes)).toMatch(errorResponse(400, 'expected a request in HTTP/1.1')));

const length = 'Content-Length: 20000000';

test.each([
  ['two Host headers', `POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${length}\r\n\r\n`],
  ['no Host header', `POST / HTTP/1.1\r\n${length}\r\n\r\n`],
  ['an invalid header', `POST / HTTP/1.1\r\nHost: x\r\nbad header\r\n${length}\r\n\r\n`],
  ['headers over the size limit', `POST / HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n${length}\r\n\r\n`],
  ['a malformed chunked body', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['CONNECT', `CONNECT x:80 HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`],
])('a client that sends 20 MB can read the refusal of %s', async (_, head) => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  const response = text(socket);
  socket.write(head);
  for (let chunks = 0; chunks < 20; chunks++) await new Promise((resolve) => socket.write('x'.repeat(1_000_000), resolve));
  socket.end();
  expect(await response).toMatch(/^HTTP\/1.1 4\d\d /);
});

test.each([
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
])('a refusal of %s follows the responses to earlier requests, and ends the connection', async (_, bytes) => {
  const valid = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const responses = (await send(`${valid}${valid}${bytes}${valid}`)).match(/HTTP\/1.1 \d+|served/g);
  expect(responses).toEqual(['HTTP/1.1 200', 'served', 'HTTP/1.1 200', 'served', 'HTTP/1.1 400']);
});

test('an idle connection stays open longer than Keep-Alive announces', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = text(socket);
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await response).match(/served/g)).toHaveLength(2);
  expect(await response).toContain('Keep-Alive: timeout=5');
});
