import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, routerHeaders, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

const logLines: string[] = [];
let app: TestApp;
let ana: Person;
beforeAll(async () => {
  const settings = {
    RESPONSE_CACHE_MB: '1',
    SUBGRAPHS: 'tournaments',
    LOG_REQUESTS: 'on',
    RATE_LIMITS: 'requests.platform=1000/24h',
  };
  app = await startApp(settings, undefined, null, true, logLines);
  ana = await app.person();
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
});
afterAll(() => app.close());

const query = 'query Cup { tournament(id: "cup") { id title } }';
const renameCup = (title: string) =>
  app.graphql('mutation ($title: String!) { upsertTournament(input: { id: "cup", title: $title }) { id } }', { title });
const post = (
  body: object | string = { query },
  tokens: Tokens = app.platform,
  headers: Record<string, string> = {},
  path = '/graphql',
) => app.rest('POST', path, tokens, body, headers);

/** Timeout that is long enough for a busy machine. */
const waitOptions = { timeout: 15_000 };

/** Sends a request. Returns the response without the headers that differ in each response, and whether its query ran. */
async function observe(request: () => ReturnType<typeof post> = post) {
  const texts = app.texts();
  const { status, body, headers } = await request();
  const { date: _, 'x-request-id': __, ...otherHeaders } = Object.fromEntries(headers);
  return { status, body, headers: otherHeaders, hasQueried: texts.some((text) => /from "?tournament\b/.test(text)) };
}

/** Repeats a request until its response comes from the cache. */
const waitForCachedResponse = (request: () => ReturnType<typeof post> = post) =>
  vi.waitUntil(async () => {
    const response = await observe(request);
    return response.hasQueried ? null : response;
  }, waitOptions);

describe.each([
  { path: '/graphql', more: {} },
  { path: '/subgraphs/tournaments', more: routerHeaders },
])('a repeated query at $path', ({ path, more }) => {
  const send = (headers: Record<string, string> = {}, tokens: Tokens = app.platform) =>
    post({ query }, tokens, { ...more, ...headers }, path);
  beforeEach(async () => {
    await renameCup('Cup');
    await waitForCachedResponse(send);
  });

  test('gets the same response and headers as a computed one', async () => {
    const computed = await observe(() => send({ accept: 'application/json' }));
    const cached = await waitForCachedResponse(() => send({ accept: 'application/json' }));
    expect(computed.hasQueried).toBe(true);
    expect(cached).toEqual({ ...computed, hasQueried: false });
    expect(cached.body).toMatchObject({ data: { tournament: { id: 'cup', title: 'Cup' } } });
  });

  test('gets a new response after a write', async () => {
    await renameCup('Open');
    expect(await observe(send)).toMatchObject({ hasQueried: true, body: { data: { tournament: { title: 'Open' } } } });
  });

  test('of another caller runs, and one with an unknown token is rejected', async () => {
    expect(await observe(() => send({}, { user: ana.user }))).toMatchObject({ hasQueried: true });
    const { body } = await send({}, { platform: 'unknown' });
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('with another Origin header gets the CORS headers for it', async () => {
    const { key } = await newKey(app, ['https://page.example']);
    const sendFrom = (origin: string) => () => send({ origin }, { platform: key });
    const allowed = await waitForCachedResponse(sendFrom('https://page.example'));
    const other = await observe(sendFrom('https://other.example'));
    expect({
      allowed: allowed.headers['access-control-allow-origin'],
      other: other.headers['access-control-allow-origin'],
    }).toEqual({ allowed: 'https://page.example', other: undefined });
  });

  test('is logged like a computed one', async () => {
    logLines.length = 0;
    await observe(send);
    await vi.waitUntil(() => logLines.length > 0, waitOptions);
    expect(logLines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'request',
        route: path,
        status: 200,
        operation: 'query',
        operationName: 'Cup',
        platformId: 'test-platform',
      }),
    ]);
  });
});

test('a compressed response is cached as it was sent', async () => {
  await app.sql.rows(`insert into tournament (id, title) select 'tournament-' || n, 'Same title' from generate_series(1, 60) n`);
  const fetchText = async () => {
    const response = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip', 'PB-API-TOKEN': app.platform.platform },
      body: JSON.stringify({ query: '{ tournaments(first: 60) { nodes { id title } } }' }),
    });
    return {
      encoding: response.headers.get('content-encoding'),
      vary: response.headers.get('vary'),
      text: await response.text(),
    };
  };
  const computed = await fetchText();
  const cached = await vi.waitUntil(async () => {
    const texts = app.texts();
    const response = await fetchText();
    return texts.some((text) => /from "?tournament\b/.test(text)) ? null : response;
  }, waitOptions);
  expect(computed.encoding).toBe('gzip');
  expect(cached).toEqual(computed);
});

test.each([
  { name: 'a response with errors', body: { query: '{ tournament(id: "cup") { id } auditEntries(first: 1) { totalCount } }' } },
  { name: 'the position of the change log', body: { query: '{ liveCursor tournament(id: "cup") { title } }' } },
  {
    name: 'a response with the time',
    body: { query: '{ rankings(first: 1) { nodes { rank } } tournament(id: "cup") { title } }' },
  },
])('$name is computed for each request', async ({ body }) => {
  const haveQueried = [];
  for (let count = 0; count < 4; count++) haveQueried.push((await observe(() => post(body))).hasQueried);
  expect(haveQueried).toEqual([true, true, true, true]);
});

test('a repeated mutation runs each time', async () => {
  const body = { query: 'mutation { createTournament(input: { title: "New" }) { id } }' };
  const ids = new Set<string>();
  for (let count = 0; count < 3; count++) ids.add((await post(body)).body.data.createTournament.id);
  expect(ids.size).toBe(3);
});

test('a query that contains the word mutation in a value is accepted', async () => {
  const body = { query: '{ tournaments(filter: { title: { eq: "mutation" } }) { totalCount } }' };
  expect((await post(body)).body).toMatchObject({ data: { tournaments: { totalCount: 0 } } });
});

test('invalid bodies get the same errors with and without the cache', async () => {
  const bodies = ['{', '[]', '"text"', '{"query": 5}', '{"query": "{ nothing }"}', '{"query": "{ a", "variables": []}', '\u0000'];
  const withCache = [];
  for (const body of bodies) {
    const { status, body: answer } = await post(body);
    withCache.push({ status, messages: answer.errors.map(({ message }: { message: string }) => message) });
  }
  const padding = ' '.repeat(40_000);
  const withoutCache = [];
  for (const body of bodies) {
    const { status, body: answer } = await post(body + padding);
    withoutCache.push({ status, messages: answer.errors.map(({ message }: { message: string }) => message) });
  }
  expect(withCache).toEqual(withoutCache);
});
