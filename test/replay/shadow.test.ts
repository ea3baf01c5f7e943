import type { RequestListener, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { componentMetrics } from '../../src/metrics/component-metrics.js';
import { addSampledMetrics } from '../../src/metrics/sampled-metric.js';
import { hashOf, newToken } from '../../src/modules/accounts/tokens/secrets.js';
import { shadowDifferences, shadowOutcomes } from '../../src/replay/shadow/counts.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { type RealServer, startServer } from '../support/servers/recording-server.js';
import { secondProcess } from '../support/servers/second-app.js';

/** Request handler of the old server. Each test sets it. */
let respond: (path: string, response: ServerResponse) => void;
const listener: RequestListener = ({ url = '' }, response) => respond(url, response);
const old: RealServer = await startServer(listener);
const app: TestApp = await startApp({ SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '1' });
const [admin, ana]: [Person, Person] = [await app.person({ roles: ['ADMIN'] }), await app.person()];
const otherApps: TestApp[] = [];
afterAll(async () => {
  await app.close();
  for (const other of otherApps) await other.close();
  old.close();
});

const outcomes = () => ({ ...shadowOutcomes() });
let outcomesBefore: ReturnType<typeof outcomes>;
beforeEach(() => {
  old.requests.length = 0;
  outcomesBefore = outcomes();
});

/** Returns the number of shadow reads since the start of the test, by outcome. */
const newOutcomes = () =>
  Object.fromEntries(
    Object.entries(outcomes()).map(([name, count]) => [name, count - (outcomesBefore[name as keyof typeof outcomesBefore] ?? 0)]),
  );
const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
const get = (path: string, more: Record<string, string> = {}) => app.rest('GET', path, app.platform, undefined, more);

/** Responses of this service that the old server repeats, keyed by path. */
const recorded = new Map<string, { status: number; headers: Record<string, string>; text: string }>();
async function record(path: string): Promise<void> {
  const response = await fetch(app.origin + path, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'courtside-shadow': '1' },
  });
  recorded.set(path, { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() });
}
const replayRecorded: typeof respond = (path, response) => {
  const reply = recorded.get(path);
  const { 'content-type': type = '', 'cache-control': cache } = reply?.headers ?? {};
  response
    .writeHead(reply?.status ?? 500, { 'content-type': type, ...(cache ? { 'cache-control': cache } : {}) })
    .end(reply?.text);
};

test('reads are repeated on the old server with their tokens, and identical responses are counted as same', async () => {
  const paths = ['/v1/data/lookup_formats', '/v1/data/teams?page_size=1', '/v1/data/teams', '/v1/data/teams/nobody'];
  await Promise.all(paths.map(record));
  respond = replayRecorded;
  for (const path of paths) {
    await get(path, { 'x-mine': 'not for others', cookie: 'a=b' });
    await expect.poll(() => old.requests.length).toBe(paths.indexOf(path) + 1);
  }
  await expect.poll(newOutcomes).toEqual({ same: 4, different: 0, unanswered: 0, dropped: 0 });
  expect({ paths: old.requests.map(({ path }) => path), differences: shadowDifferences() }).toEqual({ paths, differences: [] });
  const headers = old.requests[0]?.headers;
  expect(headers).toMatchObject({ 'pb-api-token': app.platform.platform, 'courtside-shadow': '1' });
  expect({ cookie: headers?.cookie, custom: headers?.['x-mine'] }).toEqual({ cookie: undefined, custom: undefined });
});

test('differences are counted by route and path, except where responses of the old server also differ', async () => {
  await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: 'a-team', seed: 3 } });
  let time = 0;
  respond = (_, response) => {
    time += 1;
    json(response, { result: { uuid: 'a-team', ranking: time, seed: '3' } });
  };
  const live = await get('/v1/data/teams/a-team');
  await expect.poll(newOutcomes).toMatchObject({ different: 1 });
  expect(live.body.result.seed).toBe(3);
  const differences = (shadowDifferences() ?? []).filter(({ kind }) => kind !== 'extra key');
  const anyDate = expect.any(Date);
  const route = 'GET /v1/data/teams/{uuid}';
  expect(differences).toEqual([{ route, kind: 'type', path: 'result.seed', count: 1, firstSeen: anyDate, lastSeen: anyDate }]);
  const registry = new Registry();
  addSampledMetrics([registry], componentMetrics, { ...app.resources, schemaHash: '' });
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toContain(`courtside_shadow_differences_total{route="${route}",kind="type",path="result.seed"} 1`);
  expect(lines).toContain('courtside_shadow_reads_total{outcome="different"} 1');
});

test('writes, and reads to which the old server cannot respond in the same way, are not sent to it', async () => {
  respond = (_, response) => json(response, {});
  const key = { platform: (await newKey(app)).key };
  const { headers } = await get('/v1/data/lookup_countries', { 'courtside-shadow': '1' });
  old.requests.length = 0;
  const upsert = await app.rest('POST', '/v1/teams/upsert', app.platform, { payload: { uuid: 'another' } });
  const deletion = await app.rest('DELETE', '/v1/teams/another', app.platform);
  const emailValidation = await app.rest('GET', '/v1/pub/validate_email/nothing', app.platform);
  const unknownRoute = await app.rest('GET', '/v1/nothing', app.platform);
  const publishableKey = await app.rest('GET', '/v1/data/news', key);
  const tokenValidation = await app.rest('POST', '/v1/sso/validate_token', app.platform);
  const revalidation = await fetch(`${app.origin}/v1/data/lookup_countries`, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'if-none-match': headers.get('etag') ?? '' },
  });
  expect({
    upsert: upsert.status,
    deletion: deletion.status,
    emailValidation: emailValidation.status,
    unknownRoute: unknownRoute.status,
    publishableKey: publishableKey.status,
    tokenValidation: tokenValidation.status,
    revalidation: revalidation.status,
  }).toEqual({
    upsert: 200,
    deletion: 200,
    emailValidation: 400,
    unknownRoute: 404,
    publishableKey: 200,
    tokenValidation: 401,
    revalidation: 304,
  });
  expect(old.requests).toEqual([]);
});

test('an old server that hangs or fails delays no response, and shadow reads beyond four at once are dropped', async () => {
  const pending: ServerResponse[] = [];
  respond = (_, response) => pending.push(response);
  const answers = await Promise.all(Array.from({ length: 12 }, () => get('/v1/data/lookup_roles')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await expect.poll(() => pending.length).toBe(4);
  await expect.poll(newOutcomes).toEqual({ same: 0, different: 0, unanswered: 0, dropped: 8 });
  // The old server also breaks the connections of retries, so the pending reads fail.
  respond = (_, response) => response.destroy();
  for (const response of pending) response.destroy();
  await expect.poll(newOutcomes).toEqual({ same: 0, different: 0, unanswered: 4, dropped: 8 });
  respond = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2 ** 20)}"`);
  expect((await get('/v1/data/lookup_roles')).status).toBe(200);
  await expect.poll(newOutcomes).toMatchObject({ unanswered: 5 });
});

test('a route that is unavailable during a rehearsal is not compared', async () => {
  await app.sql.rows(
    `insert into deprecation (id, route, deprecated_at, text, rehearsal_begins_at) values ('trial', 'GET /v1/data/lookup_roles', now(), 'Soon.', now())`,
  );
  app.resources.services.deprecations.invalidate();
  expect((await get('/v1/data/lookup_roles')).status).toBe(410);
  await app.sql.rows('delete from deprecation');
  app.resources.services.deprecations.invalidate();
  respond = replayRecorded;
  await record('/v1/data/lookup_countries');
  await get('/v1/data/lookup_countries');
  await expect.poll(newOutcomes).toEqual({ same: 1, different: 0, unanswered: 0, dropped: 0 });
});

const shadowUsage = async (tokens: Tokens) => {
  const fields =
    'shadow { reads { same different unanswered dropped } routes { route reads { different } } differences { route kind path times firstSeenAt lastSeenAt } }';
  const answer = await app.graphql(`{ platformUsage { ${fields} } }`, {}, tokens);
  return answer.platformUsage?.shadow ?? answer;
};

test('shadow usage adds up the differences of a platform across all processes, and those of all platforms for admins', async () => {
  const second = { platform: newToken() };
  const hash = hashOf(second.platform);
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('second', 'Second', $1)`, [hash]);
  respond = (_, response) => json(response, { ['k\0\ud800'.repeat(200)]: 1 });
  const path = '/v1/data/lookup_formats';
  const firstBefore = await shadowUsage(app.platform);
  await app.rest('GET', path, second);
  await app.rest('GET', path, { user: ana.user });
  await expect.poll(newOutcomes).toMatchObject({ different: 2 });
  const other = await secondProcess(app, undefined, null, { SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '1' });
  await fetch(other.origin + path, { headers: { 'PB-API-TOKEN': second.platform } });
  await expect.poll(outcomes).toMatchObject({ different: 1 });
  await other.close();
  const ofSecond = await shadowUsage(second);
  const ofFirst = await shadowUsage(app.platform);
  const ofAll = await shadowUsage(admin);
  const route = 'GET /v1/data/lookup_formats';
  const reads = { same: 0, different: 2, unanswered: 0, dropped: 0 };
  expect({ ...ofSecond, differences: ofSecond.differences.length > 0 }).toEqual({
    reads,
    routes: [{ route, reads: { different: 2 } }],
    differences: true,
  });
  for (const { kind, path: jsonPath, times, firstSeenAt, lastSeenAt } of ofSecond.differences)
    expect({
      kind,
      isPathBounded: jsonPath.length <= 300,
      pathHasNul: jsonPath.includes('\0'),
      times,
      isSeenRepeatedly: Date.parse(firstSeenAt) < Date.parse(lastSeenAt),
    }).toEqual({ kind: expect.any(String), isPathBounded: true, pathHasNul: false, times: 2, isSeenRepeatedly: true });
  expect({ ofFirst, differentOfAll: ofAll.reads.different }).toEqual({
    ofFirst: firstBefore,
    differentOfAll: firstBefore.reads.different + 3,
  });
});

test('a share of 0 sends no shadow reads', async () => {
  const other = await startApp({ SHADOW_UPSTREAM: old.origin, SHADOW_SHARE: '0' });
  otherApps.push(other);
  old.requests.length = 0;
  await other.rest('GET', '/v1/data/lookup_roles', other.platform);
  expect({ requests: old.requests, outcomes: shadowOutcomes() }).toEqual({
    requests: [],
    outcomes: { same: 0, different: 0, unanswered: 0, dropped: 0 },
  });
});
