import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/process/command.js';
import { recordOptions } from '../../src/replay/recording/options.js';
import { harProblems } from '../support/checks/har.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';
import { runCommand, startCommand } from '../support/servers/command-process.js';
import { entries, recorder } from '../support/servers/recording-proxy.js';
import { startServer } from '../support/servers/recording-server.js';
import { scratchDirectory } from '../support/servers/service-process.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('a recording of personal data', () => {
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
  let ana: Person;
  let file: string;
  let output: string;
  let exitCode: unknown;
  const answers: Record<string, { status: number; text: string }> = {};

  beforeAll(async () => {
    file = join(await scratchDirectory(), 'traffic.har');
    const proxy = await startCommand('record', ['--upstream', app.origin, '--out', file, '--port', '0']);
    await vi.waitUntil(() => proxy.output().includes('Press Ctrl-C to stop.'), { timeout: 15_000 });
    const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(proxy.output()) ?? [];
    ana = await app.person({
      email: 'ana.lopez@example.com',
      firstName: 'Anastasia',
      lastName: 'Lopezova',
      phone: '+15125550188',
    });
    const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const init = {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      const response = await fetch(origin + path, init);
      return { status: response.status, text: await response.text() };
    };
    const asPlatform = { 'PB-API-TOKEN': app.platform.platform };
    const asUser = { 'PB-USER-TOKEN': ana.user };
    answers.upsertPlayer = await send('POST', '/v1/users/upsert', asPlatform, { payload: player });
    answers.getPlayer = await send('GET', '/v1/users/player-1', asPlatform);
    answers.getAna = await send('GET', `/v1/users/${ana.id}`, asUser);
    answers.lookUpEmail = await send('GET', '/v1/data/user-email-lookup/ana.lopez%40example.com', asPlatform);
    answers.register = await send('POST', '/v1/pub/register_users', asPlatform, { payload: registration });
    answers.login = await send(
      'POST',
      '/v1/sso/login',
      { ...asPlatform, IpAddress: '203.0.113.77' },
      { payload: { email: 'ana.lopez@example.com', password: 'not-the-password' } },
    );
    answers.validateEmail = await send('GET', '/v1/pub/validate_email/randomvalueofalink', {});
    answers.validateUrl = await send('GET', '/v1/sso/validate_url/837261?email=ana.lopez@example.com', {});
    answers.contact = await send('POST', '/v1/pub/contactus', asPlatform, {
      payload: {
        name: 'Dora Writer',
        email: 'dora@private.example',
        phone: '+15125550177',
        details: 'my secret trouble',
        contact_reason_id: '1',
      },
    });
    answers.placeToken = await send('POST', '/sso_platform/token', asPlatform, {
      payload: { email: 'ana.lopez@example.com', token: 'placed-token-of-ana-000001' },
    });
    answers.listWithPlacedToken = await send('GET', '/v1/data/teams?page_size=2', {
      'PB-USER-TOKEN': 'placed-token-of-ana-000001',
      Cookie: 'session=cookie-value-1',
    });
    answers.listWithBearerToken = await send('GET', '/v1/data/teams', { Authorization: `Bearer ${ana.user}` });
    answers.resetPassword = await send('POST', '/v1/pub/forgot_password', asPlatform, {
      payload: { url: 'reset-value-of-mail', password: 'new-secret-password' },
    });
    await send('GET', '/livez?token=not-recorded', {});
    proxy.signal('SIGINT');
    exitCode = await proxy.exit;
    output = proxy.output();
  });

  test('the proxy passes the responses of the service through', () => {
    expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual({
      upsertPlayer: 200,
      getPlayer: 200,
      getAna: 200,
      lookUpEmail: 200,
      register: 200,
      login: 401,
      validateEmail: 400,
      validateUrl: 400,
      contact: 200,
      placeToken: 200,
      listWithPlacedToken: 200,
      listWithBearerToken: 200,
      resetPassword: 400,
    });
    expect(JSON.parse(answers.getPlayer?.text ?? '').result.email).toBe('benjamin@private.example');
  });

  test('the proxy reports the number of recorded requests, without probes', () => {
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('Recorded 13 requests') });
  });

  test('the file is valid and contains no personal or secret value', () => {
    const har = readFileSync(file, 'utf8');
    const values = [
      ...Object.values(player).filter((value) => value !== 'player-1'),
      ...Object.values(registration).map(String),
      ...[app.platform.platform, ana.user, 'ana.lopez', 'Anastasia', 'Lopezova', '5125550188', '5125550199', '1987-03'],
      ...['203.0.113.77', 'not-the-password', 'randomvalueofalink', '837261', 'Dora', 'Writer', '5125550177'],
      ...['secret trouble', 'placed-token-of-ana', 'cookie-value', 'reset-value-of-mail', 'new-secret-password'],
      ...['not-recorded', 'private.example', 'benjamin', 'hidden-name'],
    ];
    expect(harProblems(har)).toEqual([]);
    expect(values.filter((value) => har.includes(value) || har.toLowerCase().includes(value.toLowerCase()))).toEqual([]);
  });

  test('only the owner can read the file', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a value has the same pseudonym wherever it occurs', () => {
    const recorded = entries(readFileSync(file, 'utf8'));
    const header = (index: number, name: string) =>
      recorded[index].request.headers.find((each: { name: string }) => each.name.toLowerCase() === name)?.value;
    const payload = (index: number) => JSON.parse(recorded[index].request.postData.text).payload;
    const { email, token } = payload(9);
    expect({
      userToken: header(10, 'pb-user-token'),
      bearerToken: header(11, 'authorization'),
      platformToken: header(12, 'pb-api-token'),
      emailOfLogin: payload(5).email,
      urlOfLookup: recorded[3].request.url,
    }).toEqual({
      userToken: token,
      bearerToken: `Bearer ${header(2, 'pb-user-token')}`,
      platformToken: header(0, 'pb-api-token'),
      emailOfLogin: email,
      urlOfLookup: expect.stringContaining(encodeURIComponent(email)),
    });
  });
});

test('the proxy streams responses, and records bodies uncompressed, truncated or as base64', async () => {
  const long = Buffer.alloc(40 * 2 ** 20, 'x');
  const image = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x80]);
  let sendRest = () => {};
  const restRequested = new Promise<void>((resolve) => {
    sendRest = resolve;
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
      await restRequested;
      response.end(long.subarray(10));
    }
  });
  const proxy = await recorder(upstream.origin);
  const response = await fetch(`${proxy.origin}/v1/long`);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBe(10);
  sendRest();
  let length = 10;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) length += chunk.value.length;
  const zipped = await fetch(`${proxy.origin}/v1/zipped`);
  const picture = await fetch(`${proxy.origin}/v1/image`, {
    method: 'POST',
    body: image,
    headers: { 'content-type': 'image/jpeg' },
  });
  expect({ length, zipped: await zipped.text(), picture: Buffer.from(await picture.arrayBuffer()) }).toEqual({
    length: long.length,
    zipped: '{"seed" : 1.50}',
    picture: image,
  });
  // A request that the proxy cannot forward is also recorded.
  upstream.close();
  expect((await fetch(`${proxy.origin}/v1/gone`)).status).toBe(502);
  await expect.poll(() => entries(proxy.har()).length).toBe(4);
  proxy.signal('SIGTERM');
  const har = proxy.har();
  expect({ exitCode: await proxy.exit, problems: harProblems(har) }).toEqual({ exitCode: 0, problems: [] });
  const [ofLong, ofZipped, ofImage, ofGone] = entries(har);
  expect({
    longContent: ofLong.response.content,
    zippedText: ofZipped.response.content.text,
    imageContent: ofImage.response.content,
    imagePostData: ofImage.request.postData,
    statusOfGone: ofGone.response.status,
  }).toEqual({
    longContent: { size: long.length, mimeType: 'x-unknown', comment: expect.stringContaining('larger than') },
    zippedText: '{"seed" : 1.50}',
    imageContent: { size: 5, mimeType: 'image/jpeg', text: image.toString('base64'), encoding: 'base64' },
    imagePostData: { mimeType: 'image/jpeg', params: [], text: image.toString('base64'), _encoding: 'base64' },
    statusOfGone: 0,
  });
}, 60_000);

test('the file is valid after the process is killed, and a later recording does not overwrite it', async () => {
  const proxy = await recorder(app.origin);
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  expect(harProblems(proxy.har())).toEqual([]);
  const requests = Array.from({ length: 30 }, () =>
    fetch(`${proxy.origin}/v1/data/lookup_countries`, { headers }).then((response) => response.text()),
  );
  await Promise.allSettled([
    ...requests,
    expect
      .poll(() => entries(proxy.har()).length)
      .toBeGreaterThan(2)
      .then(() => proxy.signal('SIGKILL')),
  ]);
  expect({ signal: await proxy.exit, problems: harProblems(proxy.har()) }).toEqual({ signal: 'SIGKILL', problems: [] });
  const { code, output } = await runCommand('record', ['--upstream', app.origin, '--out', proxy.out]);
  expect({ code, output }).toEqual({ code: 1, output: `${proxy.out} already exists: choose another name for --out.\n` });
}, 60_000);

test('invalid arguments exit with code 2 and print the usage', async () => {
  const { code, output } = await runCommand('record', ['--upstream', 'localhost:4000', '--out', 'x.har']);
  expect({ code, output }).toEqual({
    code: 2,
    output: expect.stringMatching(/^--upstream: expected a URL[\s\S]*Usage: courtside record --upstream/),
  });
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
])('rejects the arguments %j', (args) => expect(() => recordOptions(args)).toThrow(UsageError));
