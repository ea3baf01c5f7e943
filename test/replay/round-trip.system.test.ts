import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';
import { runCommand, startCommand } from '../support/servers/command-process.js';
import { type RealServer, startServer } from '../support/servers/recording-server.js';
import { scratchDirectory } from '../support/servers/service-process.js';
import { freshDatabase } from '../support/servers/test-database.js';

let app: TestApp;
let other: TestApp;
let changed: RealServer;
let har: string;
let user: string;
beforeAll(async () => {
  const [one, directory] = await Promise.all([startApp(), scratchDirectory()]);
  app = one;
  other = await startApp({}, await freshDatabase());
  // Forwards requests to the service, but changes the type of one value of teams.
  changed = await startServer(async ({ url = '', headers }, response) => {
    const { 'pb-api-token': platformToken = '', 'pb-user-token': userToken = '' } = headers;
    const tokenHeaders = {
      ...(platformToken ? { 'pb-api-token': String(platformToken) } : {}),
      ...(userToken ? { 'pb-user-token': String(userToken) } : {}),
    };
    const original = await fetch(app.origin + url, { headers: tokenHeaders });
    const text = await original.text();
    const { 'content-type': type = '' } = Object.fromEntries(original.headers);
    response.writeHead(original.status, { 'content-type': type }).end(text.replace('"seed":3', '"seed":"3"'));
  });
  har = join(directory, 'traffic.har');
  const proxy = await startCommand('record', ['--upstream', app.origin, '--out', har, '--port', '0']);
  await vi.waitUntil(() => proxy.output().includes('Press Ctrl-C to stop.'), { timeout: 30_000 });
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(proxy.output()) ?? [];
  const ana = await app.person({ email: 'ana@example.com' });
  user = ana.user;
  const asPlatform = { 'PB-API-TOKEN': app.platform.platform };
  const send = async (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
    (await fetch(origin + path, { ...init, headers: { ...headers, 'content-type': 'application/json' } })).text();
  await send('/v1/teams/upsert', asPlatform, { method: 'POST', body: '{"payload":{"uuid":"a-team","seed":3}}' });
  await send('/v1/users/upsert', asPlatform, {
    method: 'POST',
    body: '{"payload":{"uuid":"ben","email":"ben@example.com","firstName":"Ben","dob":"1990-05-01T00:00:00Z"}}',
  });
  await send('/v1/data/teams/a-team', asPlatform);
  await send('/v1/data/teams?page_size=5', asPlatform);
  await send('/v1/data/teams/nobody', asPlatform);
  await send(`/v1/users/${ana.id}`, { 'PB-USER-TOKEN': ana.user });
  await send('/v1/data/lookup_countries?region_id=1', { 'PB-USER-TOKEN': ana.user });
  await send('/v1/data/lookup_countries', {});
  proxy.signal('SIGINT');
  await proxy.exit;
}, 90_000);
afterAll(async () => {
  changed.close();
  await other.close();
  await app.close();
});

const tokens = () => ({ REPLAY_TOKEN_PLATFORM: app.platform.platform, REPLAY_TOKEN_USER: user });

test('a replay against the recorded service finds no difference', async () => {
  const { code, output } = await runCommand('replay', [har, '--old', app.origin, '--new', app.origin], tokens());
  expect({ code, summary: output.split('\n').slice(-3, -1) }).toEqual({
    code: 0,
    summary: [
      'Skipped 2 requests that may change data: add --writes to send them.',
      '6 requests to 4 routes: all responses are the same.',
    ],
  });
});

test('a replay finds a value whose type has changed', async () => {
  const { code, output } = await runCommand('replay', [har, '--old', app.origin, '--new', changed.origin], tokens());
  expect({ code, lines: output.split('\n').filter((line) => !/^\d of 6 requests$/.test(line)) }).toEqual({
    code: 1,
    lines: [
      'GET /v1/data/teams: 1 of 1 response differs',
      '  type at results[].seed (1)',
      'GET /v1/data/teams/{uuid}: 1 of 2 responses differs',
      '  type at result.seed (1)',
      'Skipped 2 requests that may change data: add --writes to send them.',
      '6 requests to 4 routes: 2 responses from 2 routes differ.',
      '',
    ],
  });
});

test('replayed writes create records with pseudonyms on an empty service', async () => {
  const env = { ...tokens(), REPLAY_TOKEN_PLATFORM: other.platform.platform };
  const servers = ['--old', other.origin, '--new', other.origin];
  const args = [har, ...servers, '--writes', '--only', '/v1/users/upsert', '--only', '/v1/*teams*'];
  const { code } = await runCommand('replay', args, env);
  const person = await other.rest('GET', '/v1/users/ben', other.platform);
  const team = await other.rest('GET', '/v1/data/teams/a-team', other.platform);
  expect({ code, person: person.body.result, seed: team.body.result.seed }).toEqual({
    code: 0,
    person: expect.objectContaining({
      uuid: 'ben',
      email: 'redacted-1@redacted.example',
      firstName: 'Name1',
      dob: '1900-01-01T00:00:00Z',
    }),
    seed: 3,
  });
});

test('the recording contains no e-mail address', () => {
  expect(readFileSync(har, 'utf8')).not.toContain('ben@example.com');
});
