import { once } from 'node:events';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { post } from '../../src/modules/live/webhooks/post.js';
import { checkReceiver, isPublic, type Reach } from '../../src/modules/live/webhooks/receiver-address.js';
import { portOf } from '../../src/port.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Receiver, receiver, type Verdict } from './receiver.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, undefined, undefined, false);
});
afterAll(() => app.close());

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function answering(verdict: Verdict): Promise<Receiver> {
  const made = await receiver(() => verdict);
  closers.push(made.close);
  return made;
}

const strict: Reach = { networks: [], isProduction: false };
const local: Reach = { networks: ['127.0.0.0/8', '::1'], isProduction: false };
const send = (url: string, options: Partial<Parameters<typeof post>[3]> = {}) =>
  post(url, { 'webhook-id': 'evt_1' }, '{}', { reach: local, ...options });

test.each(
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:10::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1'.split(
    ' ',
  ),
)('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each('1.1.1.1 8.8.8.8 93.184.215.14 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700::1111 2a00:1450:4001::1'.split(' '))(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

const create = (url: string) =>
  app.graphql('mutation ($url: String!) { createWebhook(url: $url, events: ["team.*"]) { webhook { url } } }', { url });

test.each(
  'http://127.0.0.1/ http://127.1/ http://0x7f.1/ http://2130706433/ http://0177.0.0.1/ http://127.0.0.1./ http://localhost/ http://LOCALHOST./ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://169.254.169.254/latest/meta-data http://[fd00:ec2::254]/ http://0/ http://10.1.2.3:8080/ https://192.168.0.1/ http://①②⑦.0.0.1/'.split(
    ' ',
  ),
)('%s is refused on `url` when a webhook is made', async (url) => {
  expect(await create(url)).toEqual({ errors: [expect.stringMatching(/^BAD_INPUT: url: expected an address/)] });
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
])('%s is no address of a receiver', async (url) => {
  expect(await create(url)).toEqual({ errors: [expect.stringMatching(/^BAD_INPUT: url: expected/)] });
});

test('a public one is taken, as it is written', async () => {
  const url = 'https://93.184.215.14:8443/hooks?of=courtside';
  expect(await create(url)).toEqual({ createWebhook: { webhook: { url } } });
});

test('a name is refused where any of its addresses is private, or none is known', async () => {
  const to = (...addresses: string[]) =>
    checkReceiver('https://example.com/', strict, async () => addresses).then(
      () => 'good',
      ({ message }: Error) => message,
    );
  expect([await to('8.8.8.8'), await to('8.8.8.8', '10.0.0.1'), await to('::1'), await to('fe80::1%eth0'), await to()]).toEqual([
    'good',
    ...Array.from({ length: 3 }, () => expect.stringContaining('not public')),
    expect.stringContaining('its host is not known'),
  ]);
});

test('in production it begins with https, unless its network is allowed', async () => {
  const check = (url: string, reach: Reach) =>
    checkReceiver(url, { ...reach, isProduction: true }).then(
      () => 'good',
      ({ message }: Error) => message,
    );
  expect([
    await check('http://8.8.8.8/', strict),
    await check('https://8.8.8.8/', strict),
    await check('http://127.0.0.1/', local),
  ]).toEqual([expect.stringContaining('https'), 'good', 'good']);
});

test('a name that leads elsewhere by the time of sending is not sent to', async () => {
  const there = await answering(200);
  const outcome = await send(`http://example.com:${there.port}/`, { reach: strict, resolve: async () => ['127.0.0.1'] });
  expect([outcome.error, there.arrived.length]).toEqual([expect.stringMatching(/^not sent: .*not public/), 0]);
});

test('the connection goes to the addresses that were looked at, whatever the name leads to', async () => {
  const there = await answering(200);
  let asked = 0;
  const resolve = async () => [asked++ === 0 ? '127.0.0.1' : '10.255.255.1'];
  const outcome = await send(`http://no-such-host.invalid:${there.port}/`, { resolve });
  expect([outcome.error, there.taken.length, asked, there.taken[0]?.headers.host]).toEqual([
    null,
    1,
    1,
    `no-such-host.invalid:${there.port}`,
  ]);
});

test('redirects are failures, and nobody goes where they lead', async () => {
  const secret = await answering(200);
  for (const status of [301, 302, 303, 307, 308]) {
    const there = await answering((response) => response.writeHead(status, { location: secret.url }).end());
    expect((await send(there.url)).error).toBe(`answered ${status}: redirects are not followed`);
  }
  expect(secret.arrived).toEqual([]);
});

test('no more of an answer is read than fits, and no more is kept than an excerpt of it in one line', async () => {
  let written = 0;
  const there = await answering((response) => {
    response.writeHead(500);
    const more = () => {
      while (!response.destroyed && response.write('a\u0000\n\u001b[31m'.padEnd(10_000, 'b'))) written += 10_000;
    };
    response.on('drain', more);
    more();
  });
  const { error, status } = await send(there.url);
  expect([status, error?.length, error?.slice(0, 23)]).toEqual([500, 'answered 500: '.length + 200, 'answered 500: a [31mbbb']);
  expect(written).toBeLessThan(20_000_000);
});

test.each<[string, Verdict]>([
  ['says nothing', () => undefined],
  ['sends its headers and no more', (response) => void response.writeHead(500, { 'content-length': '10' }).flushHeaders()],
  [
    'drips',
    (response) => {
      response.writeHead(500);
      const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x')), 20);
    },
  ],
])('a receiver that %s is waited for no longer than allowed', async (_, verdict) => {
  const there = await answering(verdict);
  const since = performance.now();
  const { error } = await send(there.url, { patience: 400 });
  expect([error, performance.now() - since < 2_000]).toEqual([
    expect.stringMatching(/no answer within 0\.4 s|answered 500/),
    true,
  ]);
});

test('an answer of too many headers, and one that is no HTTP, are failures in words', async () => {
  const wide = await answering((response) => response.writeHead(200, { 'x-wide': 'x'.repeat(20_000) }).end());
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('hello\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => void server.close());
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const nobody = portOf(closed);
  closed.close();
  expect([
    (await send(wide.url)).error,
    (await send(`http://127.0.0.1:${portOf(server)}/`)).error,
    (await send(`http://127.0.0.1:${nobody}/`)).error,
    (await send(`https://127.0.0.1:${wide.port}/`)).error,
    (await send('http://no-such-host.invalid/')).error,
  ]).toEqual([
    'the answer has more than 16384 bytes of headers',
    'the answer is no HTTP',
    'the connection was refused',
    expect.stringMatching(/no safe connection|the receiver could not be asked/),
    'not sent: its host is not known',
  ]);
});

test('who switches to another protocol has not taken it, and nobody waits for ever', async () => {
  const there = await answering(
    (response) => void response.socket?.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  );
  expect((await send(there.url, { patience: 1_000 })).error).toMatch(/could not be asked|no answer|was cut/);
});

test('an answer of 200 counts, however long its body is', async () => {
  const there = await answering((response) => {
    response.writeHead(200);
    const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x'.repeat(1_000))), 5);
  });
  expect(await send(there.url)).toEqual({ status: 200, error: null, retryAfter: null });
});
