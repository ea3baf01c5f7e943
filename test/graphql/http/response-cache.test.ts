import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp({ RESPONSE_CACHE_MB: '1' });
  ana = await app.person();
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
  await writeTeam(1);
});
afterAll(() => app.close());

const writeTeam = (seed: number) =>
  app.graphql('mutation ($seed: Int) { upsertTeam(input: { id: "a", tournamentId: "cup", seed: $seed }) { id } }', { seed });
const teamPath = '/v1/data/teams/a';
const get = (tokens: Tokens = app.platform, path = teamPath, headers: Record<string, string> = {}) =>
  app.rest('GET', path, tokens, undefined, headers);

/** Timeout that is long enough for a busy machine. */
const waitOptions = { timeout: 15_000 };

/** Sends a request. Returns the response without the headers that differ in each response, and whether the query of the route ran. */
async function observe(request: () => ReturnType<typeof get> = get) {
  const texts = app.texts();
  const { status, body, headers } = await request();
  const { date: _, 'x-request-id': __, ...otherHeaders } = Object.fromEntries(headers);
  return { status, body, headers: otherHeaders, hasQueried: texts.some((text) => /from "?(?:team|tournament)\b/.test(text)) };
}

/** Repeats a request until its response comes from the cache. */
const waitForCachedResponse = (request: () => ReturnType<typeof get> = get) =>
  vi.waitUntil(async () => {
    const response = await observe(request);
    return response.hasQueried ? null : response;
  }, waitOptions);

describe('a repeated request', () => {
  beforeEach(async () => {
    await writeTeam(1);
    await waitForCachedResponse();
  });

  test('gets the response that was stored for the second request, without its query', async () => {
    const request = () => get(app.platform, `${teamPath}?page_size=7`);
    const computed = await observe(request);
    const stored = await observe(request);
    expect({ first: computed.hasQueried, second: stored.hasQueried }).toEqual({ first: true, second: true });
    expect(await observe(request)).toEqual({ ...computed, hasQueried: false });
    expect(Object.values(computed.body)).toEqual([expect.objectContaining({ uuid: 'a', seed: 1 })]);
  });

  test('gets a new response after a write in the graph or by another connection', async () => {
    const textBefore = JSON.stringify((await observe()).body);
    await writeTeam(7);
    const afterWrite = await observe();
    await waitForCachedResponse();
    await app.sql.rows(`update team set seed = 8 where id = 'a'`);
    const afterUpdate = await observe();
    expect({ afterWrite: afterWrite.hasQueried, afterUpdate: afterUpdate.hasQueried }).toEqual({
      afterWrite: true,
      afterUpdate: true,
    });
    expect(new Set([textBefore, JSON.stringify(afterWrite.body), JSON.stringify(afterUpdate.body)]).size).toBe(3);
  });

  test('gets the cached response while a transaction is open, and a new one once it is committed', async () => {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`update team set seed = 99 where id = 'a'`);
    const beforeCommit = await observe();
    await client.query('commit');
    const afterCommit = await observe();
    await client.end();
    expect({ beforeCommit: beforeCommit.hasQueried, afterCommit: afterCommit.hasQueried }).toEqual({
      beforeCommit: false,
      afterCommit: true,
    });
    expect(JSON.stringify(afterCommit.body)).toContain('99');
  });

  test('of another caller runs its own query, and one without a valid token is rejected', async () => {
    expect(await observe(() => get({ user: ana.user }))).toMatchObject({ hasQueried: true });
    expect({ none: (await get({})).status, unknown: (await get({ platform: 'unknown' })).status }).toEqual({
      none: 401,
      unknown: 401,
    });
  });

  test('gets 304 if the client has the cached response', async () => {
    const { headers } = await observe();
    expect(await observe(() => get(app.platform, teamPath, { 'if-none-match': headers.etag ?? '' }))).toMatchObject({
      status: 304,
      body: null,
      hasQueried: false,
    });
  });

  test('with HEAD gets the headers of the cached response', async () => {
    const { headers } = await observe();
    const response = await fetch(app.origin + teamPath, { method: 'HEAD', headers: { 'PB-API-TOKEN': app.platform.platform } });
    expect({ status: response.status, length: response.headers.get('content-length'), text: await response.text() }).toEqual({
      status: 200,
      length: headers['content-length'],
      text: '',
    });
  });
});

test('a response that is larger than a sixteenth of the cache is computed for each request', async () => {
  await app.sql.rows(`insert into team (id, tournament_id) select 'team-' || n, 'cup' from generate_series(1, 250) n`);
  const requestList = () => get(app.platform, '/v1/data/teams?tournament_uuid=cup&page_size=250');
  await waitForCachedResponse();
  for (let count = 0; count < 3; count++) await requestList();
  const response = await observe(requestList);
  expect(JSON.stringify(response.body).length).toBeGreaterThan(62_500);
  expect(response.hasQueried).toBe(true);
});
