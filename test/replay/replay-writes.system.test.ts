import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { runCommand, startCommand } from '../support/servers/command-process.js';
import { type RealServer, startServer } from '../support/servers/recording-server.js';
import { scratchDirectory } from '../support/servers/service-process.js';
import { freshDatabase } from '../support/servers/test-database.js';

type Send = (method: string, path: string, body?: unknown, user?: string) => Promise<string>;

/**
 * Creates, reads, changes and deletes records, using the IDs that the server assigns. Then refreshes the user token, and uses the new
 * token.
 */
async function sendTraffic(send: Send) {
  const create = async (path: string, payload: object) =>
    /"(?:uu)?id":"([^"]+)"/.exec(await send('POST', path, { payload }))?.[1] ?? 'none';
  const team = await create('/v1/teams', { seed: 3 });
  await send('GET', `/v1/data/teams/${team}`);
  await send('PUT', `/v1/teams/${team}`, { payload: { uuid: team, seed: 4 } });
  await send('GET', '/v1/data/teams?page_size=5');
  const game = await create('/v1/game_scheduler', { title: 'Morning', date: '2027-05-01T00:00:00Z' });
  await send('DELETE', `/v1/game_scheduler/${game}`);
  const category = await create('/v1/categories', { title: 'Rules', is_news: true });
  await send('PUT', `/v1/categories/${category}`, { payload: { id: category, title: 'Rulings', is_news: true } });
  await send('GET', `/v1/data/categories/${category}`);
  await send('GET', '/v1/data/lookup_categories');
  await send('DELETE', `/v1/categories/${category}`);
  await send('GET', `/v1/data/categories/${category}`);
  await send('DELETE', `/v1/teams/${team}`);
  await send('GET', `/v1/data/teams/${team}`);
  const [, renewed] = /"token":"([^"]+)"/i.exec(await send('POST', '/v1/sso/refresh_token', {})) ?? [];
  await send('GET', '/v1/data/lookup_roles', undefined, renewed);
}

const admin = (app: TestApp) => app.person({ isSuperAdmin: true });

let recordedApp: TestApp;
/** Two services with the same users as the recorded service, but without the recorded traffic. */
let oldApp: TestApp;
let newApp: TestApp;
let har: string;
/** The new service behind a proxy that changes its responses. */
let changed: RealServer;
let changeResponse: (body: string, path: string) => string = (body) => body;
beforeAll(async () => {
  const directory = await scratchDirectory();
  recordedApp = await startApp();
  oldApp = await startApp({}, await freshDatabase());
  newApp = await startApp({}, await freshDatabase());
  const recordedAdmin = await admin(recordedApp);
  const oldAdmin = await admin(oldApp);
  const newAdmin = await admin(newApp);
  // Makes each service assign a different ID to the category that the traffic creates.
  const skipCategoryId = async (app: TestApp, tokens: Tokens) => {
    const { body } = await app.rest('POST', '/v1/categories', tokens, { payload: { title: 'Rules' } });
    await app.rest('DELETE', `/v1/categories/${body.result.id}`, tokens);
  };
  await skipCategoryId(oldApp, oldAdmin);
  await skipCategoryId(newApp, newAdmin);
  await skipCategoryId(newApp, newAdmin);

  har = join(directory, 'traffic.har');
  const proxy = await startCommand('record', ['--upstream', recordedApp.origin, '--out', har, '--port', '0']);
  await vi.waitUntil(() => proxy.output().includes('Press Ctrl-C to stop.'), { timeout: 30_000 });
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(proxy.output()) ?? [];
  await sendTraffic(async (method, path, body, user = recordedAdmin.user) => {
    const headers = { 'PB-API-TOKEN': recordedApp.platform.platform, 'PB-USER-TOKEN': user, 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return response.text();
  });
  proxy.signal('SIGINT');
  await proxy.exit;

  changed = await startServer(async ({ method = '', url = '', headers }, response) => {
    const { body } = changed.requests.at(-1) ?? {};
    const forwarded = ['pb-api-token', 'pb-user-token', 'content-type'].flatMap((name) =>
      headers[name] ? [[name, String(headers[name])]] : [],
    );
    const init = { method, headers: Object.fromEntries(forwarded), ...(body ? { body } : {}) };
    const original = await fetch(newApp.origin + url, init);
    const text = changeResponse(await original.text(), url);
    response.writeHead(original.status, { 'content-type': original.headers.get('content-type') ?? '' }).end(text);
  });
}, 90_000);
afterAll(async () => {
  changed.close();
  for (const app of [recordedApp, oldApp, newApp]) await app.close();
});

const replay = async (file: string, origin: string) => {
  const args = [file, '--old', oldApp.origin, '--new', origin, '--writes', '--ignore', 'result.expiration'];
  // The traffic refreshes the user token, so each replay needs a new token.
  const tokens = {
    REPLAY_TOKEN_OLD_PLATFORM: oldApp.platform.platform ?? '',
    REPLAY_TOKEN_NEW_PLATFORM: newApp.platform.platform ?? '',
    REPLAY_TOKEN_OLD_USER: (await admin(oldApp)).user,
    REPLAY_TOKEN_NEW_USER: (await admin(newApp)).user,
  };
  const { code, output } = await runCommand('replay', args, tokens);
  return {
    code,
    lines: output
      .trim()
      .split('\n')
      .filter((line) => !/^\d+ of \d+ requests$/.test(line)),
  };
};

const countTeams = async (app: TestApp) => (await app.sql.row('select count(*)::int as count from team'))?.count;
const teamCounts = async () => ({ old: await countTeams(oldApp), new: await countTeams(newApp) });

test('a replay translates recorded IDs to the IDs that each server assigned', async () => {
  const { code, lines } = await replay(har, newApp.origin);
  expect({ code, lines, teamCounts: await teamCounts() }).toEqual({
    code: 0,
    lines: ['16 requests to 14 routes: all responses are the same.'],
    teamCounts: { old: 0, new: 0 },
  });
});

test('a replay reports changed values, unknown IDs and IDs of other records', async () => {
  let team = '';
  changeResponse = (body, path) => {
    if (path === '/v1/teams') [, team = ''] = /"uuid":"([^"]+)"/.exec(body) ?? [];
    const withId = (id: string) => body.replace(/"(uuid|id)":"[^"]+"/, `"$1":"${id}"`);
    if (path === '/v1/game_scheduler') return withId(team);
    if (path.startsWith('/v1/data/teams/')) return withId('01999999-0000-7000-8000-000000000000');
    if (path.startsWith('/v1/data/categories/')) return withId('99');
    return body.replace('"seed":4', '"seed":5');
  };
  const { code, lines } = await replay(har, changed.origin);
  const routes = lines.flatMap((line, index) => (line.startsWith('  ') ? [`${lines[index - 1]}${line}`] : []));
  expect({ code, routes: routes.toSorted() }).toEqual({
    code: 1,
    routes: [
      // No game has the changed ID.
      'DELETE /v1/game_scheduler/{uuid}: 1 of 1 response differs  status (1)',
      'GET /v1/data/categories/{id}: 1 of 2 responses differs  value at id (1)',
      'GET /v1/data/teams/{uuid}: 1 of 2 responses differs  value at result.uuid (1)',
      'GET /v1/data/teams: 1 of 1 response differs  value at results[].seed (1)',
      'POST /v1/game_scheduler: 1 of 1 response differs  value at result.uuid (1)',
      'PUT /v1/teams/{uuid}: 1 of 1 response differs  value at payload.seed (1)',
    ],
  });
});

test('a replay of a file without responses ignores differing IDs, but cannot translate them', async () => {
  const { log } = JSON.parse(readFileSync(har, 'utf8'));
  for (const entry of log.entries) delete entry.response;
  const bare = har.replace('.har', '-bare.har');
  writeFileSync(bare, JSON.stringify({ log }).replaceAll('redacted-user-2', 'redacted-user-1'));
  const { code, lines } = await replay(bare, newApp.origin);
  expect({ code, lines, teamCounts: await teamCounts() }).toEqual({
    code: 1,
    lines: [
      'POST /v1/sso/refresh_token: 1 of 1 response differs',
      '  value at result.token (1)',
      '16 requests to 14 routes: 1 response from 1 route differs.',
    ],
    teamCounts: { old: 1, new: 1 },
  });
});
