import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { portOf } from '../../src/port.js';
import { harProblems } from '../support/har.js';
import { entries, recorder } from '../support/recorder.js';

/** Answers of servers that are not well, by their paths; each cuts its connection afterwards. */
const broken: Record<string, string> = {
  '/v1/body': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":"half',
  '/v1/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n',
  '/v1/head': 'HTTP/1.1 200 OK\r\nContent-Ty',
  '/v1/status': 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
  '/v1/words': 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}',
  '/v1/switch': 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  '/v1/garbage': 'hello\r\n\r\n',
};

test('answers that break off or are no HTTP end neither the proxy nor the file, and each is told of once', async () => {
  const upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      socket.write(broken[data.toString().split(' ')[1] ?? ''] ?? 'HTTP/1.1 204 No Content\r\n\r\n');
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const proxy = await recorder(`http://127.0.0.1:${portOf(upstream)}`);
  const paths = [...Object.keys(broken), '/v1/well'];
  const statuses: unknown[] = [];
  for (const path of paths) {
    const signal = AbortSignal.timeout(3000);
    statuses.push(
      await fetch(proxy.origin + path, { signal })
        .then((answer) => answer.text().then(() => answer.status))
        .catch((error: Error) => error.name),
    );
  }
  upstream.close();
  await expect.poll(() => entries(proxy.har()).length).toBe(paths.length);
  proxy.signal('SIGTERM');
  expect([statuses, await proxy.ended, harProblems(proxy.har())]).toEqual([
    ['TypeError', 'TypeError', 502, 502, 502, 502, 502, 204],
    0,
    [],
  ]);
  expect(
    entries(proxy.har()).map(({ response }: { response: { status: number; content: object } }) => [
      response.status,
      'text' in response.content,
    ]),
  ).toEqual([200, 200, 0, 0, 0, 0, 0, 204].map((status) => [status, false]));
}, 60_000);
