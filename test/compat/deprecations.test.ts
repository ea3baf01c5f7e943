import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, newToken } from '../../src/modules/accounts/tokens/secrets.js';
import { type Answer, type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';

let app: TestApp;
let other: Process;
let admin: Person;
let ana: Person;
const second: Tokens = { platform: newToken() };
beforeAll(async () => {
  app = await startApp();
  other = await secondProcess(app);
  [admin, ana] = [await app.person({ isSuperAdmin: true }), await app.person({ roles: ['ADMIN'] })];
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('second', 'Second', $1)`, [
    hashOf(second.platform ?? ''),
  ]);
});
afterAll(async () => {
  await other.close();
  await app.close();
});
afterEach(() => app.sql.rows('delete from deprecation'));

/**
 * Delay in milliseconds before a request that must see a change. Processes must apply a change within a second. The request may take the
 * rest of that second.
 */
const almostOneSecond = 950;

const defaultLink =
  '</reference#getDataTeams>; rel="describedby", </graphql?operation=getDataTeams>; rel="alternate"; title="GraphQL"';
const statusAndHeaders = ({ status, headers }: Pick<Answer, 'status' | 'headers'>) =>
  Object.fromEntries(
    ['link', 'deprecation', 'sunset', 'sunset-rehearsal', 'retry-after']
      .flatMap((name): [string, unknown][] => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      })
      .concat([['status', status]]),
  );
const teams = async (tokens: Tokens = app.platform, method = 'GET') =>
  statusAndHeaders(await app.rest(method, '/v1/data/teams?page_size=1', tokens));
const teamsOfOtherProcess = async (tokens: Tokens = app.platform) =>
  statusAndHeaders(
    await fetch(`${other.origin}/v1/data/teams?page_size=1`, { headers: { 'PB-API-TOKEN': tokens.platform ?? '' } }),
  );
const deprecate = (input: object, tokens: Tokens = admin) =>
  app.graphql(
    'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id route platformId rehearsalMinutes } }',
    { input },
    tokens,
  );
const announcement = { route: 'GET /v1/data/teams', deprecatedAt: '2026-01-01T00:00:00Z', text: 'Ask for teams in GraphQL.' };

test('every response of a route links to its reference and its GraphQL operation, unless the path is unknown', async () => {
  const { headers } = await app.rest('GET', '/v1/data/lookup_formats', app.platform);
  const notModified = await app.rest('GET', '/v1/data/lookup_formats', app.platform, undefined, {
    'if-none-match': headers.get('etag') ?? '',
  });
  const unknownPath = await app.rest('GET', '/v1/data/nowhere', app.platform);
  expect({
    get: await teams(),
    head: await teams(app.platform, 'HEAD'),
    unknownToken: await teams({ platform: 'unknown' }),
    notModified: statusAndHeaders(notModified),
    unknownPath: statusAndHeaders(unknownPath),
  }).toEqual({
    get: { status: 200, link: defaultLink },
    head: { status: 200, link: defaultLink },
    unknownToken: { status: 401, link: defaultLink },
    notModified: { status: 304, link: defaultLink.replaceAll('getDataTeams', 'getDataLookupFormats') },
    unknownPath: { status: 404 },
  });
});

test('every process announces a deprecation to all callers within a second, until it is undone', async () => {
  await Promise.all([teams(), teamsOfOtherProcess()]);
  const { deprecateRoute } = await deprecate({ ...announcement, sunsetAt: '2027-01-01T00:00:00Z' });
  const link = `${defaultLink}, </reference#getDataTeams>; rel="deprecation", </graphql?operation=getDataTeams>; rel="successor-version"`;
  const deprecated = { status: 200, link, deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
  const sameProcess = await teams();
  await sleep(almostOneSecond);
  expect({ sameProcess, otherProcess: await teamsOfOtherProcess(), user: await teams({ user: ana.user }) }).toEqual({
    sameProcess: deprecated,
    otherProcess: deprecated,
    user: deprecated,
  });
  await app.graphql(`mutation { undoDeprecation(id: "${deprecateRoute.id}") { id } }`, {}, admin);
  const sameProcessAfterUndo = await teams();
  await sleep(almostOneSecond);
  expect({ sameProcessAfterUndo, otherProcessAfterUndo: await teamsOfOtherProcess() }).toEqual({
    sameProcessAfterUndo: { status: 200, link: defaultLink },
    otherProcessAfterUndo: { status: 200, link: defaultLink },
  });
});

test('a rejected change does not increment the version that processes compare', async () => {
  const readVersion = async () => (await app.sql.row('select version from cache_version'))?.version;
  const versionBefore = await readVersion();
  const { errors } = await app.graphql('mutation { undoDeprecation(id: "nothing") { id } }', {}, admin);
  expect({ errors, version: await readVersion() }).toEqual({
    errors: [expect.stringMatching(/^NOT_FOUND/)],
    version: versionBefore,
  });
});

test('the announcement for one platform takes precedence over the announcement for all platforms', async () => {
  await deprecate({ ...announcement, platformId: 'second', link: 'https://www.example.com/v1' });
  const link = `${defaultLink}, <https://www.example.com/v1>; rel="deprecation", </graphql?operation=getDataTeams>; rel="successor-version"`;
  const deprecated = { status: 200, link, deprecation: '@1767225600' };
  expect({ second: await teams(second), first: await teams() }).toEqual({
    second: deprecated,
    first: { status: 200, link: defaultLink },
  });
  await deprecate({ ...announcement, deprecatedAt: '2026-02-01T00:00:00Z' });
  expect({ second: await teams(second), firstDeprecation: (await teams()).deprecation }).toEqual({
    second: deprecated,
    firstDeprecation: '@1769904000',
  });
});

describe('a rehearsal of the sunset for one platform', () => {
  const toDate = (seconds: number) => new Date(seconds * 1000).toISOString();
  const rehearse = (startsAt: number) =>
    deprecate({ ...announcement, platformId: 'second', rehearsalBeginsAt: toDate(startsAt), rehearsalMinutes: 5 });
  const moveStart = (rehearsalBeginsAt: string | null) =>
    deprecate({ route: announcement.route, platformId: 'second', rehearsalBeginsAt });
  const now = () => Math.floor(Date.now() / 1000);
  const statusAtOtherProcess = async () => (await teamsOfOtherProcess(second)).status;

  test('is announced in a header before it starts', async () => {
    const startsAt = now() + 60;
    await rehearse(startsAt);
    expect(await teams(second)).toMatchObject({ status: 200, 'sunset-rehearsal': `@${startsAt};until=@${startsAt + 300}` });
  });

  test('rejects only that platform with 410, in other processes within a second', async () => {
    const startsAt = now() - 60;
    await rehearse(now() + 60);
    await teamsOfOtherProcess(second);
    await moveStart(toDate(startsAt));
    const { body, ...answer } = await app.rest('GET', '/v1/data/teams', second);
    expect(statusAndHeaders(answer)).toMatchObject({ status: 410, 'sunset-rehearsal': `@${startsAt};until=@${startsAt + 300}` });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(body).toEqual({
      Code: 410,
      Message: `GET /v1/data/teams is not answered until ${toDate(startsAt + 300)}, to rehearse its end: Ask for teams in GraphQL.`,
      Timestamp: expect.any(Number),
      RequestId: expect.any(Number),
    });
    await sleep(almostOneSecond);
    expect({
      atOtherProcess: await statusAtOtherProcess(),
      firstPlatformAtOtherProcess: (await teamsOfOtherProcess()).status,
      firstPlatformAtSameProcess: (await teams()).status,
    }).toEqual({ atOtherProcess: 410, firstPlatformAtOtherProcess: 200, firstPlatformAtSameProcess: 200 });
  });

  test('ends when its start is removed: immediately, and in other processes within a second', async () => {
    await rehearse(now() - 60);
    expect((await teams(second)).status).toBe(410);
    await expect.poll(statusAtOtherProcess).toBe(410);
    await moveStart(null);
    const sameProcess = await teams(second);
    expect({ status: sameProcess.status, rehearsal: sameProcess['sunset-rehearsal'] }).toEqual({
      status: 200,
      rehearsal: undefined,
    });
    await sleep(almostOneSecond);
    expect(await statusAtOtherProcess()).toBe(200);
  });
});

test('an unauthenticated call during a rehearsal returns 401', async () => {
  await deprecate({ ...announcement, rehearsalBeginsAt: new Date().toISOString() });
  expect({ unauthenticated: (await teams({ platform: 'unknown' })).status, authenticated: (await teams()).status }).toEqual({
    unauthenticated: 401,
    authenticated: 410,
  });
});

test('rejects a deprecation with all of its invalid fields in one error', async () => {
  const invalid = {
    route: 'GET /v1/data/none',
    platformId: 'nobody',
    deprecatedAt: '2026-01-02T00:00:00Z',
    sunsetAt: '2026-01-01T00:00:00Z',
    text: ' ',
    link: 'javascript:alert(1)',
    rehearsalMinutes: 0,
  };
  expect(await deprecate(invalid)).toEqual({
    errors: [
      'BAD_INPUT: input.route: expected a method and a path of `/v1`, such as `GET /v1/data/teams/{uuid}`; input.platformId: expected the id of a platform; input.text: expected a non-blank string; input.link: expected a URL such as https://www.example.com/news/v1; input.rehearsalMinutes: expected a number from 1 to 1440; input.sunsetAt: expected a time at or after `deprecatedAt`',
    ],
  });
});

test('rejects the first deprecation of a route without deprecatedAt', async () => {
  expect(await deprecate({ route: announcement.route })).toEqual({
    errors: [expect.stringContaining('BAD_INPUT: input.deprecatedAt: expected a time')],
  });
});

test('with keepsExisting, deprecateRoute rejects a route that is already deprecated', async () => {
  const deprecateNew = (text: string) =>
    app.graphql(
      'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input, keepsExisting: true) { text } }',
      { input: { ...announcement, text } },
      admin,
    );
  const texts = () => app.sql.rows('select text from deprecation');
  expect({ first: await deprecateNew('First.'), second: await deprecateNew('Second.'), stored: await texts() }).toEqual({
    first: { deprecateRoute: { text: 'First.' } },
    second: { errors: ['CONFLICT: the route is already deprecated'] },
    stored: [{ text: 'First.' }],
  });
});

test('rejects a sunset before the deprecation that was announced earlier', async () => {
  await deprecate(announcement);
  expect(await deprecate({ route: announcement.route, sunsetAt: '2025-01-01T00:00:00Z' })).toEqual({
    errors: ['BAD_INPUT: input.sunsetAt: expected a time at or after `deprecatedAt`'],
  });
});

test('only super admins deprecate routes and list deprecations', async () => {
  const createByAdmin = await deprecate(announcement, { user: ana.user });
  const listByPlatform = await app.graphql('{ deprecations { totalCount } }', {}, app.platform);
  await deprecate(announcement);
  const listBySuperAdmin = await app.graphql('{ deprecations { nodes { route text platform { id } } } }', {}, admin);
  expect({ createByAdmin, listByPlatform, listBySuperAdmin }).toEqual({
    createByAdmin: { errors: ['FORBIDDEN: Not allowed: requires a user token of a super admin'] },
    listByPlatform: {
      errors: ['UNAUTHENTICATED: Authentication required: send a user token of a super admin (header PB-USER-TOKEN)'],
    },
    listBySuperAdmin: { deprecations: { nodes: [{ route: announcement.route, text: announcement.text, platform: null }] } },
  });
});

test('an audit entry names the user who deprecated a route', async () => {
  const { deprecateRoute } = await deprecate(announcement);
  const query =
    '{ auditEntries(filter: { recordType: { eq: "Deprecation" }, recordKey: { eq: "ID" } }) { nodes { action user { id } } } }';
  const { auditEntries } = await app.graphql(query.replace('ID', deprecateRoute.id), {}, admin);
  expect(auditEntries).toEqual({ nodes: [{ action: 'CREATED', user: { id: admin.id } }] });
});

test('platformUsage shows a platform the deprecation of a route that it calls', async () => {
  await deprecate({ ...announcement, platformId: 'second', sunsetAt: '2027-01-01T00:00:00Z' });
  await teams(second);
  const end = '{ platformUsage { routes { route end { deprecatedAt sunsetAt text link rehearsalBeginsAt } } } }';
  expect((await app.graphql(end, {}, second)).platformUsage.routes).toEqual([
    {
      route: announcement.route,
      end: {
        deprecatedAt: '2026-01-01T00:00:00Z',
        sunsetAt: '2027-01-01T00:00:00Z',
        text: announcement.text,
        link: '/reference#getDataTeams',
        rehearsalBeginsAt: null,
      },
    },
  ]);
});
