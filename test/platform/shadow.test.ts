import type { RequestListener, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { addShadowCounts } from '../../src/metrics/shadow-counts.js';
import { hashOf, newToken } from '../../src/modules/accounts/secrets.js';
import { shadowDifferences, shadowOutcomes } from '../../src/shadow/counts.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { secondProcess } from '../support/second-process.js';
import { type RealServer, startServer } from '../support/two-servers.js';

/** What the old server says; each test says it anew. */
let answer: (path: string, response: ServerResponse) => void;
const open: (() => Promise<void> | void)[] = [];
const listener: RequestListener = ({ url = '' }, response) => answer(url, response);
const old: RealServer = await startServer(listener);
const app: TestApp = await startApp({ SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '1' });
const [admin, ana]: [Person, Person] = [await app.person({ roles: ['ADMIN'] }), await app.person()];
const away: TestApp[] = [];
afterAll(async () => {
  await app.close();
  for (const each of away) await each.close();
  for (const close of open) await close();
  old.close();
});

const outcomes = () => ({ ...shadowOutcomes() });
let before: ReturnType<typeof outcomes>;
beforeEach(() => {
  old.asked.length = 0;
  before = outcomes();
});

/** How many reads were asked again since the test began. */
const since = () =>
  Object.fromEntries(
    Object.entries(outcomes()).map(([name, count]) => [name, count - (before[name as keyof typeof before] ?? 0)]),
  );
const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
const get = (path: string, more: Record<string, string> = {}) => app.rest('GET', path, app.platform, undefined, more);

/** What this service answers itself, for an old server that answers the same. */
const recorded = new Map<string, { status: number; headers: Record<string, string>; text: string }>();
async function asOwn(path: string): Promise<void> {
  const response = await fetch(app.origin + path, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'courtside-shadow': '1' },
  });
  recorded.set(path, { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() });
}
const same: typeof answer = (path, response) => {
  const known = recorded.get(path);
  const { 'content-type': type = '', 'cache-control': cache } = known?.headers ?? {};
  response
    .writeHead(known?.status ?? 500, { 'content-type': type, ...(cache ? { 'cache-control': cache } : {}) })
    .end(known?.text);
};

test('reads are asked again with their tokens, and what is the same is counted as that', async () => {
  const paths = ['/v1/data/lookup_formats', '/v1/data/teams?page_size=1', '/v1/data/teams', '/v1/data/teams/nobody'];
  await Promise.all(paths.map(asOwn));
  answer = same;
  for (const path of paths) {
    await get(path, { 'x-mine': 'not for others', cookie: 'a=b' });
    await expect.poll(() => old.asked.length).toBe(paths.indexOf(path) + 1);
  }
  await expect.poll(since).toEqual({ same: 4, different: 0, unanswered: 0, dropped: 0 });
  expect([old.asked.map(({ path }) => path), shadowDifferences()]).toEqual([paths, []]);
  const headers = old.asked[0]?.headers;
  expect(headers).toMatchObject({ 'pb-api-token': app.platform.platform, 'courtside-shadow': '1' });
  expect([headers?.cookie, headers?.['x-mine']]).toEqual([undefined, undefined]);
});

test('what differs is counted by route and path, without what the old server never answers twice alike', async () => {
  await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: 'a-team', seed: 3 } });
  let time = 0;
  answer = (_, response) => {
    time += 1;
    json(response, { result: { uuid: 'a-team', ranking: time, seed: '3' } });
  };
  const live = await get('/v1/data/teams/a-team');
  await expect.poll(since).toMatchObject({ different: 1 });
  expect(live.body.result.seed).toBe(3);
  const found = (shadowDifferences() ?? []).filter(({ kind }) => kind !== 'extra key');
  const at = expect.any(Date);
  const route = 'GET /v1/data/teams/{uuid}';
  expect(found).toEqual([{ route, kind: 'type', path: 'result.seed', count: 1, firstSeen: at, lastSeen: at }]);
  const registry = new Registry();
  addShadowCounts([registry]);
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toContain(`courtside_shadow_differences_total{route="${route}",kind="type",path="result.seed"} 1`);
  expect(lines).toContain('courtside_shadow_reads_total{outcome="different"} 1');
});

test('writes, and reads that the old server cannot answer alike, are never sent', async () => {
  answer = (_, response) => json(response, {});
  const key = { platform: (await newKey(app)).key };
  const { headers } = await get('/v1/data/lookup_countries', { 'courtside-shadow': '1' });
  old.asked.length = 0;
  const answers = [
    await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: 'another' } }),
    await app.rest('DELETE', '/v1/teams/another', app.platform),
    await app.rest('GET', '/v1/pub/validate_email/nothing', app.platform),
    await app.rest('GET', '/v1/nothing', app.platform),
    await app.rest('GET', '/v1/data/news', key),
    await app.rest('POST', '/v1/sso/validate_token', app.platform),
  ];
  const known = await fetch(`${app.origin}/v1/data/lookup_countries`, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'if-none-match': headers.get('etag') ?? '' },
  });
  expect([answers.map(({ status }) => status), known.status, old.asked]).toEqual([[200, 200, 400, 404, 200, 401], 304, []]);
});

test('an old server that hangs, breaks or is away holds up nobody, and more than a few at once are dropped', async () => {
  const waiting: ServerResponse[] = [];
  answer = (_, response) => waiting.push(response);
  const answers = await Promise.all(Array.from({ length: 12 }, () => get('/v1/data/lookup_roles')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await expect.poll(() => waiting.length).toBe(4);
  await expect.poll(since).toEqual({ same: 0, different: 0, unanswered: 0, dropped: 8 });
  // Those that come once more, too.
  answer = (_, response) => response.destroy();
  for (const response of waiting) response.destroy();
  await expect.poll(since).toEqual({ same: 0, different: 0, unanswered: 4, dropped: 8 });
  answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2 ** 20)}"`);
  expect((await get('/v1/data/lookup_roles')).status).toBe(200);
  await expect.poll(since).toMatchObject({ unanswered: 5 });
});

test('a route that is gone for a rehearsal is no difference', async () => {
  await app.sql.rows(
    `insert into deprecation (id, route, deprecated_at, text, rehearsal_begins_at) values ('trial', 'GET /v1/data/lookup_roles', now(), 'Soon.', now())`,
  );
  app.resources.services.deprecations.forget();
  expect((await get('/v1/data/lookup_roles')).status).toBe(410);
  await app.sql.rows('delete from deprecation');
  app.resources.services.deprecations.forget();
  answer = same;
  await asOwn('/v1/data/lookup_countries');
  await get('/v1/data/lookup_countries');
  await expect.poll(since).toEqual({ same: 1, different: 0, unanswered: 0, dropped: 0 });
});

const usage = async (tokens: Tokens, args = '') => {
  const fields =
    'shadow { reads { same different unanswered dropped } routes { route reads { different } } differences { route kind path times firstSeenAt lastSeenAt } }';
  const answer = await app.graphql(`{ platformUsage${args} { ${fields} } }`, {}, tokens);
  return answer.platformUsage?.shadow ?? answer;
};

test('what differs stands in the usage of whoever asked, all processes added up, and admins see that of all', async () => {
  const second = { platform: newToken() };
  const hash = hashOf(second.platform);
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('second', 'Second', $1)`, [hash]);
  answer = (_, response) => json(response, { ['k\0\ud800'.repeat(200)]: 1 });
  const path = '/v1/data/lookup_formats';
  const earlier = await usage(app.platform);
  await app.rest('GET', path, second);
  await app.rest('GET', path, { user: ana.user });
  await expect.poll(since).toMatchObject({ different: 2 });
  const other = await secondProcess(app, undefined, null, { SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '1' });
  await fetch(other.origin + path, { headers: { 'PB-API-TOKEN': second.platform } });
  await expect.poll(outcomes).toMatchObject({ different: 1 });
  await other.close();
  const [own, mine, all] = [await usage(second), await usage(app.platform), await usage(admin)];
  const route = 'GET /v1/data/lookup_formats';
  const reads = { same: 0, different: 2, unanswered: 0, dropped: 0 };
  expect({ ...own, differences: own.differences.length > 0 }).toEqual({
    reads,
    routes: [{ route, reads: { different: 2 } }],
    differences: true,
  });
  for (const { kind, path: place, times, firstSeenAt, lastSeenAt } of own.differences)
    expect([typeof kind, place.length <= 300, place.includes('\0'), times, firstSeenAt < lastSeenAt]).toEqual([
      'string',
      true,
      false,
      2,
      true,
    ]);
  expect([mine, all.reads.different]).toEqual([earlier, earlier.reads.different + 3]);
});

test('without a share nothing is asked', async () => {
  const other = await startApp({ SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '0' });
  away.push(other);
  old.asked.length = 0;
  await other.rest('GET', '/v1/data/lookup_roles', other.platform);
  expect([old.asked, shadowOutcomes()]).toEqual([[], { same: 0, different: 0, unanswered: 0, dropped: 0 }]);
});
