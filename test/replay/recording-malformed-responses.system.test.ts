import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { portOf } from '../../src/process/port.js';
import { harProblems } from '../support/checks/har.js';
import { entries, recorder } from '../support/servers/recording-proxy.js';

/** Malformed or incomplete responses, keyed by path. The server resets the connection after each of them. */
const brokenResponses: Record<string, string> = {
  '/v1/body': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":"half',
  '/v1/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n',
  '/v1/head': 'HTTP/1.1 200 OK\r\nContent-Ty',
  '/v1/status': 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
  '/v1/words': 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}',
  '/v1/switch': 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  '/v1/garbage': 'hello\r\n\r\n',
};

test('the proxy records each incomplete or malformed response once, keeps running and writes a valid file', async () => {
  const upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      socket.write(brokenResponses[data.toString().split(' ')[1] ?? ''] ?? 'HTTP/1.1 204 No Content\r\n\r\n');
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const proxy = await recorder(`http://127.0.0.1:${portOf(upstream)}`);
  const paths = [...Object.keys(brokenResponses), '/v1/valid'];
  const statuses: Record<string, unknown> = {};
  for (const path of paths) {
    const signal = AbortSignal.timeout(3000);
    statuses[path] = await fetch(proxy.origin + path, { signal })
      .then((response) => response.text().then(() => response.status))
      .catch((error: Error) => error.name);
  }
  upstream.close();
  await expect.poll(() => entries(proxy.har()).length).toBe(paths.length);
  proxy.signal('SIGTERM');
  expect(statuses).toEqual({
    '/v1/body': 'TypeError',
    '/v1/chunk': 'TypeError',
    '/v1/head': 502,
    '/v1/status': 502,
    '/v1/words': 502,
    '/v1/switch': 502,
    '/v1/garbage': 502,
    '/v1/valid': 204,
  });
  expect({ exitCode: await proxy.exit, problems: harProblems(proxy.har()) }).toEqual({ exitCode: 0, problems: [] });
  expect(
    entries(proxy.har()).map(({ response }: { response: { status: number; content: object } }) => ({
      status: response.status,
      hasText: 'text' in response.content,
    })),
  ).toEqual([200, 200, 0, 0, 0, 0, 0, 204].map((status) => ({ status, hasText: false })));
}, 60_000);
