import { once } from 'node:events';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { postToReceiver } from '../../../../src/modules/live/webhooks/post.js';
import { checkReceiver, isPublicAddress, type ReceiverPolicy } from '../../../../src/modules/live/webhooks/receiver-address.js';
import { portOf } from '../../../../src/process/port.js';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { type Receiver, startWebhookReceiver, type Verdict } from './receiver.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, undefined, undefined, false);
});
afterAll(() => app.close());

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function startReceiver(verdict: Verdict): Promise<Receiver> {
  const started = await startWebhookReceiver(() => verdict);
  closers.push(started.close);
  return started;
}

const publicOnly: ReceiverPolicy = { networks: [], isProduction: false };
const localAllowed: ReceiverPolicy = { networks: ['127.0.0.0/8', '::1'], isProduction: false };
const send = (url: string, options: Partial<Parameters<typeof postToReceiver>[3]> = {}) =>
  postToReceiver(url, { 'webhook-id': 'evt_1' }, '{}', { policy: localAllowed, ...options });

test.each(
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:10::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1'.split(
    ' ',
  ),
)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each('1.1.1.1 8.8.8.8 93.184.215.14 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700::1111 2a00:1450:4001::1'.split(' '))(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const create = (url: string) =>
  app.graphql('mutation ($url: String!) { createWebhook(url: $url, events: ["team.*"]) { webhook { url } } }', { url });

test.each(
  'http://127.0.0.1/ http://127.1/ http://0x7f.1/ http://2130706433/ http://0177.0.0.1/ http://127.0.0.1./ http://localhost/ http://LOCALHOST./ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://169.254.169.254/latest/meta-data http://[fd00:ec2::254]/ http://0/ http://10.1.2.3:8080/ https://192.168.0.1/ http://①②⑦.0.0.1/'.split(
    ' ',
  ),
)('createWebhook rejects the private address %s', async (url) => {
  expect(await create(url)).toEqual({
    errors: [expect.stringMatching(/^BAD_INPUT: url: expected (?:the URL of a receiver|an HTTPS URL)/)],
  });
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'example.com',
  'http://',
  'https://ana:secret@93.184.215.14/',
  'https://93.184.215.14:22/',
  'https://93.184.215.14:99999/',
  'https://93.184.215.14/\r\nx',
  'gopher://93.184.215.14/',
  `https://93.184.215.14/${'x'.repeat(2_000)}`,
])('createWebhook rejects the URL %s', async (url) => {
  expect(await create(url)).toEqual({ errors: [expect.stringMatching(/^BAD_INPUT: url: expected/)] });
});

test('createWebhook accepts a public address and stores it unchanged', async () => {
  const url = 'https://93.184.215.14:8443/hooks?of=courtside';
  expect(await create(url)).toEqual({ createWebhook: { webhook: { url } } });
});

/** Returns the error message for a rejected URL, or null if the URL is accepted. */
const rejectionOf = (...args: Parameters<typeof checkReceiver>): Promise<string | null> =>
  checkReceiver(...args).then(
    () => null,
    ({ message }: Error) => message,
  );

test('rejects a host name that resolves to a private address, or to no address', async () => {
  const resolvingTo = (...addresses: string[]) => rejectionOf('https://example.com/', publicOnly, async () => addresses);
  expect({
    public: await resolvingTo('8.8.8.8'),
    publicAndPrivate: await resolvingTo('8.8.8.8', '10.0.0.1'),
    loopback: await resolvingTo('::1'),
    linkLocal: await resolvingTo('fe80::1%eth0'),
    none: await resolvingTo(),
  }).toEqual({
    public: null,
    publicAndPrivate: expect.stringContaining('neither public nor'),
    loopback: expect.stringContaining('neither public nor'),
    linkLocal: expect.stringContaining('neither public nor'),
    none: expect.stringContaining('its host is unknown'),
  });
});

test('requires HTTPS in production, except in an allowed network', async () => {
  const check = (url: string, policy: ReceiverPolicy) => rejectionOf(url, { ...policy, isProduction: true });
  expect({
    http: await check('http://8.8.8.8/', publicOnly),
    https: await check('https://8.8.8.8/', publicOnly),
    httpInAllowedNetwork: await check('http://127.0.0.1/', localAllowed),
  }).toEqual({ http: expect.stringContaining('https'), https: null, httpInAllowedNetwork: null });
});

test('does not send to a host name that resolves to a private address when the delivery is sent', async () => {
  const { port, arrived } = await startReceiver(200);
  const { error } = await send(`http://example.com:${port}/`, { policy: publicOnly, resolve: async () => ['127.0.0.1'] });
  expect({ error, requests: arrived.length }).toEqual({
    error: expect.stringMatching(/^not sent: .*neither public nor/),
    requests: 0,
  });
});

test('connects to the address that was checked, without a second DNS lookup', async () => {
  const { port, deliveries } = await startReceiver(200);
  let lookups = 0;
  const resolve = async () => [lookups++ === 0 ? '127.0.0.1' : '10.255.255.1'];
  const { error } = await send(`http://no-such-host.invalid:${port}/`, { resolve });
  expect({ error, requests: deliveries.length, lookups, host: deliveries[0]?.headers.host }).toEqual({
    error: null,
    requests: 1,
    lookups: 1,
    host: `no-such-host.invalid:${port}`,
  });
});

test('a redirect is a failure and is not followed', async () => {
  const target = await startReceiver(200);
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await startReceiver((response) => response.writeHead(status, { location: target.url }).end());
    expect((await send(url)).error).toBe(`responded with ${status}: redirects are not followed`);
  }
  expect(target.arrived).toEqual([]);
});

test('reads an endless response only in part, and reports a one-line excerpt of 200 characters', async () => {
  let bytesWritten = 0;
  const { url } = await startReceiver((response) => {
    response.writeHead(500);
    const write = () => {
      while (!response.destroyed && response.write('a\u0000\n\u001b[31m'.padEnd(10_000, 'b'))) bytesWritten += 10_000;
    };
    response.on('drain', write);
    write();
  });
  const { error, status } = await send(url);
  expect({ status, errorLength: error?.length, errorStart: error?.slice(0, 29) }).toEqual({
    status: 500,
    errorLength: 'responded with 500: '.length + 200,
    errorStart: 'responded with 500: a [31mbbb',
  });
  expect(bytesWritten).toBeLessThan(20_000_000);
});

test.each<[string, Verdict]>([
  ['sends nothing', () => undefined],
  ['sends headers but no body', (response) => void response.writeHead(500, { 'content-length': '10' }).flushHeaders()],
  [
    'sends its body byte by byte',
    (response) => {
      response.writeHead(500);
      const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x')), 20);
    },
  ],
])('a receiver that %s fails at the timeout', async (_, verdict) => {
  const { url } = await startReceiver(verdict);
  const startedAt = performance.now();
  const { error } = await send(url, { timeout: 400 });
  expect({ error, isWithinTwoSeconds: performance.now() - startedAt < 2_000 }).toEqual({
    error: expect.stringMatching(/no response within 0\.4 s|responded with 500/),
    isWithinTwoSeconds: true,
  });
});

test('each kind of connection failure has its own message', async () => {
  const wide = await startReceiver((response) => response.writeHead(200, { 'x-wide': 'x'.repeat(20_000) }).end());
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('hello\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => void server.close());
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const closedPort = portOf(closed);
  closed.close();
  expect({
    largeHeaders: (await send(wide.url)).error,
    notHttp: (await send(`http://127.0.0.1:${portOf(server)}/`)).error,
    closedPort: (await send(`http://127.0.0.1:${closedPort}/`)).error,
    noTls: (await send(`https://127.0.0.1:${wide.port}/`)).error,
    unknownHost: (await send('http://no-such-host.invalid/')).error,
  }).toEqual({
    largeHeaders: 'the response headers exceed 16384 bytes',
    notHttp: 'the response is not valid HTTP',
    closedPort: 'the connection was refused',
    noTls: expect.stringMatching(/the TLS connection failed|the request failed/),
    unknownHost: 'not sent: its host is unknown',
  });
});

test('a response that switches the protocol is a failure, no later than the timeout', async () => {
  const { url } = await startReceiver(
    (response) => void response.socket?.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  );
  expect((await send(url, { timeout: 1_000 })).error).toMatch(/request failed|no response|was closed/);
});

test('status 200 is a success even if the body never ends', async () => {
  const { url } = await startReceiver((response) => {
    response.writeHead(200);
    const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x'.repeat(1_000))), 5);
  });
  expect(await send(url)).toEqual({ status: 200, error: null, response: 'x'.repeat(200), retryAfter: null });
});
