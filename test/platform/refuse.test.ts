import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../../src/lifecycle/listen.js';

let open: Listening;
beforeAll(async () => {
  open = await listen((request, response) => request.resume().once('end', () => response.end('served')), {
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(() => open.close());

/** Everything that comes back before the other side hangs up. */
async function answer(sent: string): Promise<string> {
  const socket = connect(open.port, '127.0.0.1');
  socket.write(sent);
  return text(socket);
}

const status = (code: number, message: string) =>
  new RegExp(
    `^HTTP/1.1 ${code} .*\r\nX-Request-Id: (\\d+)\r\n.*\r\n\r\n\\{"Code":${code},"Message":"${message}","Timestamp":\\d+,"RequestId":\\1\\}$`,
    's',
  );
const long = 'x'.repeat(20_000);

test.for<[string, string, RegExp]>([
  ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`, status(431, 'headers: expected at most 16384 bytes')],
  ['no HTTP', 'hello\r\n\r\n', status(400, 'expected a request in HTTP/1.1')],
  [
    'a broken body',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    status(400, 'expected a request in HTTP/1.1'),
  ],
])('%s is refused like every other error', async ([, sent, expected]) => expect(await answer(sent)).toMatch(expected));

test('a HEAD that cannot be read is answered by a head alone', async () => {
  const sent = 'HEAD /\xff HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx';
  expect(await answer(sent)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n(?:[\w-]+: .*\r\n)+Connection: close\r\n\r\n$/);
});
