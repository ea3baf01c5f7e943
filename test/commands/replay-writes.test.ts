import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp, type Tokens } from '../support/app.js';
import { runCommand, startCommand } from '../support/command.js';
import { freshDatabase } from '../support/database.js';
import { scratchDirectory } from '../support/service.js';
import { type RealServer, startServer } from '../support/two-servers.js';

type Ask = (method: string, path: string, body?: unknown, user?: string) => Promise<string>;

/** Makes things, reads them, changes them and takes them away, by the ids that the server gave them; and goes on with a token that it gave. */
async function live(ask: Ask) {
  const made = async (path: string, payload: object) =>
    /"(?:uu)?id":"([^"]+)"/.exec(await ask('POST', path, { payload }))?.[1] ?? 'none';
  const team = await made('/v1/teams', { seed: 3 });
  await ask('GET', `/v1/data/teams/${team}`);
  await ask('PUT', `/v1/teams/${team}`, { payload: { uuid: team, seed: 4 } });
  await ask('GET', '/v1/data/teams?page_size=5');
  const game = await made('/v1/game_scheduler', { title: 'Morning', date: '2027-05-01T00:00:00Z' });
  await ask('DELETE', `/v1/game_scheduler/${game}`);
  const category = await made('/v1/categories', { title: 'Rules', is_news: true });
  await ask('PUT', `/v1/categories/${category}`, { payload: { id: category, title: 'Rulings', is_news: true } });
  await ask('GET', `/v1/data/categories/${category}`);
  await ask('GET', '/v1/data/lookup_categories');
  await ask('DELETE', `/v1/categories/${category}`);
  await ask('GET', `/v1/data/categories/${category}`);
  await ask('DELETE', `/v1/teams/${team}`);
  await ask('GET', `/v1/data/teams/${team}`);
  const [, renewed] = /"token":"([^"]+)"/i.exec(await ask('POST', '/v1/sso/refresh_token', {})) ?? [];
  await ask('GET', '/v1/data/lookup_roles', undefined, renewed);
}

const admin = (app: TestApp) => app.person({ isSuperAdmin: true });

/** One whose traffic was recorded, and two with the same people, in which nothing of it has happened. */
let apps: TestApp[];
let har: string;
let changed: RealServer;
let change: (answer: string, path: string) => string = (answer) => answer;
beforeAll(async () => {
  const directory = await scratchDirectory();
  const [recorded, old, now] = [
    await startApp(),
    await startApp({}, await freshDatabase()),
    await startApp({}, await freshDatabase()),
  ];
  apps = [recorded, old, now];
  const [one, other, third] = [await admin(recorded), await admin(old), await admin(now)];
  // Each of them counts from another number.
  const count = async (app: TestApp, by: Tokens) => {
    const { body } = await app.rest('POST', '/v1/categories', by, { payload: { title: 'Rules' } });
    await app.rest('DELETE', `/v1/categories/${body.result.id}`, by);
  };
  for (const [app, by] of [
    [old, other],
    [now, third],
    [now, third],
  ] as const)
    await count(app, by);

  har = join(directory, 'traffic.har');
  const proxy = await startCommand('record', ['--upstream', recorded.origin, '--out', har, '--port', '0']);
  await vi.waitUntil(() => proxy.output().includes('Ctrl-C stops it.'), { timeout: 30_000 });
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(proxy.output()) ?? [];
  await live(async (method, path, body, user = one.user) => {
    const headers = { 'PB-API-TOKEN': recorded.platform.platform, 'PB-USER-TOKEN': user, 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return answer.text();
  });
  proxy.signal('SIGINT');
  await proxy.ended;

  changed = await startServer(async ({ method = '', url = '', headers }, response) => {
    const { body } = changed.asked.at(-1) ?? {};
    const given = ['pb-api-token', 'pb-user-token', 'content-type'].flatMap((name) =>
      headers[name] ? [[name, String(headers[name])]] : [],
    );
    const answer = await fetch(now.origin + url, { method, headers: Object.fromEntries(given), ...(body ? { body } : {}) });
    const text = change(await answer.text(), url);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
  });
}, 90_000);
afterAll(async () => {
  changed.close();
  for (const app of apps) await app.close();
});

const replay = async (file: string, origin: string) => {
  const given = [file, '--old', apps[1]?.origin ?? '', '--new', origin, '--writes', '--ignore', 'result.expiration'];
  const [, old, now] = apps;
  // A token that was renewed is gone.
  const tokens = {
    REPLAY_TOKEN_OLD_PLATFORM: old?.platform.platform ?? '',
    REPLAY_TOKEN_NEW_PLATFORM: now?.platform.platform ?? '',
    REPLAY_TOKEN_OLD_USER: (old && (await admin(old)).user) ?? '',
    REPLAY_TOKEN_NEW_USER: (now && (await admin(now)).user) ?? '',
  };
  const { code, output } = await runCommand('replay', given, tokens);
  return {
    code,
    lines: output
      .trim()
      .split('\n')
      .filter((line) => !/^\d+ of \d+ requests$/.test(line)),
  };
};

const teamsThere = () => Promise.all(apps.slice(1).map((app) => app.sql.row('select count(*)::int as count from team')));

test('what was made on both servers is read, changed and taken away by the ids that each of them chose', async () => {
  const { code, lines } = await replay(har, apps[2]?.origin ?? '');
  expect([code, lines, await teamsThere()]).toEqual([
    0,
    ['16 requests of 14 routes: all answers are the same.'],
    [{ count: 0 }, { count: 0 }],
  ]);
});

test('what differs is told all the same: other values, ids that are not those that were given, or were given to something else', async () => {
  let team = '';
  change = (answer, path) => {
    if (path === '/v1/teams') [, team = ''] = /"uuid":"([^"]+)"/.exec(answer) ?? [];
    const named = (id: string) => answer.replace(/"(uuid|id)":"[^"]+"/, `"$1":"${id}"`);
    if (path === '/v1/game_scheduler') return named(team);
    if (path.startsWith('/v1/data/teams/')) return named('01999999-0000-7000-8000-000000000000');
    if (path.startsWith('/v1/data/categories/')) return named('99');
    return answer.replace('"seed":4', '"seed":5');
  };
  const { code, lines } = await replay(har, changed.origin);
  const routes = lines.flatMap((line, index) => (line.startsWith('  ') ? [`${lines[index - 1]}${line}`] : []));
  expect([code, routes.toSorted()]).toEqual([
    1,
    [
      // It was asked to take away what is called otherwise.
      'DELETE /v1/game_scheduler/{uuid}: 1 of 1 answer differs  status (1)',
      'GET /v1/data/categories/{id}: 1 of 2 answers differs  value at id (1)',
      'GET /v1/data/teams/{uuid}: 1 of 2 answers differs  value at result.uuid (1)',
      'GET /v1/data/teams: 1 of 1 answer differs  value at results[].seed (1)',
      'POST /v1/game_scheduler: 1 of 1 answer differs  value at result.uuid (1)',
      'PUT /v1/teams/{uuid}: 1 of 1 answer differs  value at payload.seed (1)',
    ],
  ]);
});

test('of a file without answers ids that differ are no differences either, though nothing is found by them again', async () => {
  const { log } = JSON.parse(readFileSync(har, 'utf8'));
  for (const entry of log.entries) delete entry.response;
  const bare = har.replace('.har', '-bare.har');
  writeFileSync(bare, JSON.stringify({ log }).replaceAll('redacted-user-2', 'redacted-user-1'));
  const { code, lines } = await replay(bare, apps[2]?.origin ?? '');
  expect([code, lines, await teamsThere()]).toEqual([
    1,
    [
      'POST /v1/sso/refresh_token: 1 of 1 answer differs',
      '  value at result.token (1)',
      '16 requests of 14 routes: 1 answer of 1 route differs.',
    ],
    [{ count: 1 }, { count: 1 }],
  ]);
});
