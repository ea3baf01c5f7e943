import { statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordOptions } from '../../src/commands/record-options.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { harProblems } from '../support/har.js';
import { entries, recorder } from '../support/recorder.js';
import { startServer } from '../support/two-servers.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('what passes is as it would be without, and what is personal or secret is nowhere in the file', async () => {
  const proxy = await recorder(app.origin);
  const { platform } = app.platform;
  const ana = await app.person({
    email: 'ana.lopez@example.com',
    firstName: 'Anastasia',
    lastName: 'Lopezova',
    phone: '+15125550188',
  });
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const init = {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const response = await fetch(proxy.origin + path, init);
    return { status: response.status, text: await response.text() };
  };
  const asPlatform = { 'PB-API-TOKEN': platform };
  const asUser = { 'PB-USER-TOKEN': ana.user };
  const player = {
    uuid: 'player-1',
    email: 'benjamin@private.example',
    firstName: 'Benjamin',
    lastName: 'Hidden-Name',
    phone: '+15125550199',
    dob: '1987-03-09T00:00:00Z',
    city: 'Smallville',
    zip: '78704',
    profileImage: 'https://images.example/benjamin-face.jpg',
  };
  const registration = {
    firstName: 'Carlotta',
    lastName: 'Registered',
    email: 'carlotta@private.example',
    password: 'correct-horse-battery',
    zip: 99_876,
  };
  const answers = [
    await ask('POST', '/v1/users/upsert', asPlatform, { payload: player }),
    await ask('GET', '/v1/users/player-1', asPlatform),
    await ask('GET', `/v1/users/${ana.id}`, asUser),
    await ask('GET', '/v1/data/user-email-lookup/ana.lopez%40example.com', asPlatform),
    await ask('POST', '/v1/pub/register_users', asPlatform, { payload: registration }),
    await ask(
      'POST',
      '/v1/sso/login',
      { ...asPlatform, IpAddress: '203.0.113.77' },
      { payload: { email: 'ana.lopez@example.com', password: 'not-the-password' } },
    ),
    await ask('GET', '/v1/pub/validate_email/randomvalueofalink', {}),
    await ask('GET', '/v1/sso/validate_url/837261?email=ana.lopez@example.com', {}),
    await ask('POST', '/v1/pub/contactus', asPlatform, {
      payload: {
        name: 'Dora Writer',
        email: 'dora@private.example',
        phone: '+15125550177',
        details: 'my secret trouble',
        contact_reason_id: '1',
      },
    }),
    await ask('POST', '/sso_platform/token', asPlatform, {
      payload: { email: 'ana.lopez@example.com', token: 'placed-token-of-ana-000001' },
    }),
    await ask('GET', '/v1/data/teams?page_size=2', {
      'PB-USER-TOKEN': 'placed-token-of-ana-000001',
      Cookie: 'session=cookie-value-1',
    }),
    await ask('GET', '/v1/data/teams', { Authorization: `Bearer ${ana.user}` }),
    await ask('POST', '/v1/pub/forgot_password', asPlatform, {
      payload: { url: 'reset-value-of-mail', password: 'new-secret-password' },
    }),
  ];
  await ask('GET', '/livez?token=not-recorded', {});
  proxy.signal('SIGINT');
  expect([await proxy.ended, proxy.output()]).toEqual([0, expect.stringContaining('13 requests recorded')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401, 400, 400, 200, 200, 200, 200, 400]);
  expect(JSON.parse(answers[1]?.text ?? '').result.email).toBe('benjamin@private.example');

  const har = proxy.har();
  const values = [
    ...Object.values(player).filter((value) => value !== 'player-1'),
    ...Object.values(registration).map(String),
    ...[platform, ana.user, 'ana.lopez', 'Anastasia', 'Lopezova', '5125550188', '5125550199', '1987-03', '203.0.113.77'],
    ...[
      'not-the-password',
      'randomvalueofalink',
      '837261',
      'Dora',
      'Writer',
      '5125550177',
      'secret trouble',
      'placed-token-of-ana',
      'cookie-value',
    ],
    ...['reset-value-of-mail', 'new-secret-password', 'not-recorded', 'private.example', 'benjamin', 'hidden-name'],
  ];
  expect([
    harProblems(har),
    values.filter((value) => har.includes(value) || har.toLowerCase().includes(value.toLowerCase())),
  ]).toEqual([[], []]);
  // Others than the one who made it have no business in it.
  expect(statSync(proxy.out).mode & 0o777).toBe(0o600);

  // One value has one pseudonym, wherever it stands.
  const all = entries(har);
  const header = (index: number, name: string) =>
    all[index].request.headers.find((each: { name: string }) => each.name.toLowerCase() === name)?.value;
  const placed = JSON.parse(all[9].request.postData.text).payload;
  expect([placed.token, `Bearer ${header(2, 'pb-user-token')}`, header(0, 'pb-api-token')]).toEqual([
    header(10, 'pb-user-token'),
    header(11, 'authorization'),
    header(12, 'pb-api-token'),
  ]);
  expect(JSON.parse(all[5].request.postData.text).payload.email).toBe(placed.email);
  expect(all[3].request.url).toContain(encodeURIComponent(placed.email));
}, 60_000);

test('long answers stream through, and bodies are written without their compression, binary ones as base64', async () => {
  const long = Buffer.alloc(40 * 2 ** 20, 'x');
  const image = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x80]);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const upstream = await startServer(async (request, response) => {
    if (request.url === '/v1/image') response.setHeader('content-type', 'image/jpeg').end(image);
    else if (request.url === '/v1/zipped')
      response
        .setHeader('content-type', 'application/json')
        .setHeader('content-encoding', 'gzip')
        .end(gzipSync('{"seed" : 1.50}'));
    else {
      response.write(long.subarray(0, 10));
      await isReleased;
      response.end(long.subarray(10));
    }
  });
  const proxy = await recorder(upstream.origin);
  const response = await fetch(`${proxy.origin}/v1/long`);
  const reader = response.body?.getReader();
  // The first bytes are here while the server still has the others.
  expect((await reader?.read())?.value?.length).toBe(10);
  release();
  let length = 10;
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) length += piece.value.length;
  const zipped = await fetch(`${proxy.origin}/v1/zipped`);
  const picture = await fetch(`${proxy.origin}/v1/image`, {
    method: 'POST',
    body: image,
    headers: { 'content-type': 'image/jpeg' },
  });
  expect([length, await zipped.text(), Buffer.from(await picture.arrayBuffer())]).toEqual([
    long.length,
    '{"seed" : 1.50}',
    image,
  ]);
  // Nobody is there any more: the client is told, and the request is kept.
  upstream.close();
  expect((await fetch(`${proxy.origin}/v1/gone`)).status).toBe(502);
  await expect.poll(() => entries(proxy.har()).length).toBe(4);
  proxy.signal('SIGTERM');
  const har = proxy.har();
  const [one, two, three, four] = entries(har);
  expect([await proxy.ended, harProblems(har), one.response.content, two.response.content.text, four.response.status]).toEqual([
    0,
    [],
    { size: long.length, mimeType: 'x-unknown', comment: expect.stringContaining('longer than') },
    '{"seed" : 1.50}',
    0,
  ]);
  expect([three.response.content, three.request.postData]).toEqual([
    { size: 5, mimeType: 'image/jpeg', text: image.toString('base64'), encoding: 'base64' },
    { mimeType: 'image/jpeg', params: [], text: image.toString('base64'), _encoding: 'base64' },
  ]);
}, 60_000);

test('the file is whole whenever the process is killed, and no recording is overwritten', async () => {
  const proxy = await recorder(app.origin);
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  expect(harProblems(proxy.har())).toEqual([]);
  const asked = Array.from({ length: 30 }, () =>
    fetch(`${proxy.origin}/v1/data/lookup_countries`, { headers }).then((got) => got.text()),
  );
  await Promise.allSettled([
    ...asked,
    expect
      .poll(() => entries(proxy.har()).length)
      .toBeGreaterThan(2)
      .then(() => proxy.signal('SIGKILL')),
  ]);
  expect([await proxy.ended, harProblems(proxy.har())]).toEqual(['SIGKILL', []]);
  const again = await runCommand('record', ['--upstream', app.origin, '--out', proxy.out]);
  expect([again.code, again.output]).toEqual([1, `${proxy.out} is there already: name a new file.\n`]);
}, 60_000);

test('what is not understood ends with 2', async () => {
  const { code, output } = await runCommand('record', ['--upstream', 'localhost:4000', '--out', 'x.har']);
  expect([code, output]).toEqual([2, expect.stringMatching(/^npm run record -- --upstream/)]);
});

const upstream = ['--upstream', 'http://localhost:4000'];
test.each([
  [[]],
  [upstream],
  [[...upstream, '--out', 'x', '--port', 'y']],
  [[...upstream, '--out', 'x', '--port', '65536']],
  [[...upstream, '--out', 'x', '--only', 'v1']],
  [[...upstream, '--out', 'x', '--nonsense']],
  [['--upstream', 'ftp://localhost', '--out', 'x']],
])('%o is not understood', (args) => expect(recordOptions(args)).toBe(null));
