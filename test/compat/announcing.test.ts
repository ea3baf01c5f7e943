import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hashOf, newToken } from '../../src/modules/accounts/secrets.js';
import { type Answer, type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

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

const usual = '</reference#getDataTeams>; rel="describedby", </graphql?operation=getDataTeams>; rel="alternate"; title="GraphQL"';
const told = ({ status, headers }: Pick<Answer, 'status' | 'headers'>) =>
  Object.fromEntries(
    ['link', 'deprecation', 'sunset', 'sunset-rehearsal', 'retry-after']
      .flatMap((name): [string, unknown][] => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      })
      .concat([['status', status]]),
  );
const teams = async (tokens: Tokens = app.platform, method = 'GET') =>
  told(await app.rest(method, '/v1/data/teams?page_size=1', tokens));
const teamsOfOther = async (tokens: Tokens = app.platform) =>
  told(await fetch(`${other.origin}/v1/data/teams?page_size=1`, { headers: { 'PB-API-TOKEN': tokens.platform ?? '' } }));
const deprecate = (input: object, tokens: Tokens = admin) =>
  app.graphql(
    'mutation ($input: DeprecationInput!) { deprecateRoute(input: $input) { id route platformId rehearsalMinutes } }',
    { input },
    tokens,
  );
const announced = { route: 'GET /v1/data/teams', deprecatedAt: '2026-01-01T00:00:00Z', text: 'Ask for teams in GraphQL.' };

test('every answer of a route links to its reference and its GraphQL; those of unknown paths do not', async () => {
  const { headers } = await app.rest('GET', '/v1/data/lookup_formats', app.platform);
  const known = await app.rest('GET', '/v1/data/lookup_formats', app.platform, undefined, {
    'if-none-match': headers.get('etag') ?? '',
  });
  const nowhere = await app.rest('GET', '/v1/data/nowhere', app.platform);
  const formats = usual.replaceAll('getDataTeams', 'getDataLookupFormats');
  expect([
    await teams(),
    await teams(app.platform, 'HEAD'),
    await teams({ platform: 'unknown' }),
    told(known),
    told(nowhere),
  ]).toEqual([
    { status: 200, link: usual },
    { status: 200, link: usual },
    { status: 401, link: usual },
    { status: 304, link: formats },
    { status: 404 },
  ]);
});

test('a route that is to go says so to all, at every process within a second, until it is taken back', async () => {
  await Promise.all([teams(), teamsOfOther()]);
  const { deprecateRoute } = await deprecate({ ...announced, sunsetAt: '2027-01-01T00:00:00Z' });
  const link = `${usual}, </reference#getDataTeams>; rel="deprecation", </graphql?operation=getDataTeams>; rel="successor-version"`;
  const gone = { status: 200, link, deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
  const here = await teams();
  await sleep(950);
  expect([here, await teamsOfOther(), await teams({ user: ana.user })]).toEqual([gone, gone, gone]);
  await app.graphql(`mutation { undoDeprecation(id: "${deprecateRoute.id}") { id } }`, {}, admin);
  const back = await teams();
  await sleep(950);
  expect([back, await teamsOfOther()]).toEqual([
    { status: 200, link: usual },
    { status: 200, link: usual },
  ]);
});

test('what is refused tells no process of a change', async () => {
  const version = async () => (await app.sql.row('select version from kept_version'))?.version;
  const before = await version();
  const { errors } = await app.graphql('mutation { undoDeprecation(id: "nothing") { id } }', {}, admin);
  expect([errors, await version()]).toEqual([[expect.stringMatching(/^NOT_FOUND/)], before]);
});

test('to a platform its own announcement is told, to others that for all', async () => {
  await deprecate({ ...announced, platformId: 'second', link: 'https://www.example.com/v1' });
  const alone = [await teams(second), await teams()];
  await deprecate({ ...announced, deprecatedAt: '2026-02-01T00:00:00Z' });
  const link = `${usual}, <https://www.example.com/v1>; rel="deprecation", </graphql?operation=getDataTeams>; rel="successor-version"`;
  const own = { status: 200, link, deprecation: '@1767225600' };
  expect([alone, await teams(second), (await teams()).deprecation]).toEqual([
    [own, { status: 200, link: usual }],
    own,
    '@1769904000',
  ]);
});

test('a rehearsal is announced, then the route is gone for that platform, and it is ended at once', async () => {
  const begins = Math.floor(Date.now() / 1000) + 60;
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const rehearse = (rehearsalBeginsAt: string | null) =>
    deprecate({ route: announced.route, platformId: 'second', rehearsalBeginsAt });
  await deprecate({ ...announced, platformId: 'second', rehearsalBeginsAt: at(begins), rehearsalMinutes: 5 });
  expect(await teams(second)).toMatchObject({ status: 200, 'sunset-rehearsal': `@${begins};until=@${begins + 300}` });
  await teamsOfOther(second);
  const since = begins - 120;
  await rehearse(at(since));
  const { body, ...answer } = await app.rest('GET', '/v1/data/teams', second);
  expect(told(answer)).toMatchObject({ status: 410, 'sunset-rehearsal': `@${since};until=@${since + 300}` });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
  expect(body).toEqual({
    Code: 410,
    Message: `GET /v1/data/teams is not answered until ${at(since + 300)}, to rehearse its end: Ask for teams in GraphQL.`,
    Timestamp: expect.any(Number),
    RequestId: expect.any(Number),
  });
  await sleep(950);
  expect([(await teamsOfOther(second)).status, (await teamsOfOther()).status, (await teams()).status]).toEqual([410, 200, 200]);
  await rehearse(null);
  const here = await teams(second);
  await sleep(950);
  expect([here.status, here['sunset-rehearsal'], (await teamsOfOther(second)).status]).toEqual([200, undefined, 200]);
});

test('during a rehearsal who may not call is told that', async () => {
  await deprecate({ ...announced, rehearsalBeginsAt: new Date().toISOString() });
  expect([(await teams({ platform: 'unknown' })).status, (await teams()).status]).toEqual([401, 410]);
});

test('what makes no sense is told, all at once', async () => {
  const wrong = {
    route: 'GET /v1/data/none',
    platformId: 'nobody',
    deprecatedAt: '2026-01-02T00:00:00Z',
    sunsetAt: '2026-01-01T00:00:00Z',
    text: ' ',
    link: 'javascript:alert(1)',
    rehearsalMinutes: 0,
  };
  expect([await deprecate(wrong), await deprecate({ route: announced.route })]).toEqual([
    {
      errors: [
        'BAD_INPUT: input.route: expected a method and a path of `/v1`, such as `GET /v1/data/teams/{uuid}`; input.platformId: expected the id of a platform; input.text: expected a text; input.link: expected an address such as https://www.example.com/news/v1; input.rehearsalMinutes: expected a number from 1 to 1440; input.sunsetAt: expected a time that is not before `deprecatedAt`',
      ],
    },
    { errors: [expect.stringContaining('BAD_INPUT: input.deprecatedAt: expected a time')] },
  ]);
});

test('an end before what was announced earlier is refused', async () => {
  await deprecate(announced);
  expect(await deprecate({ route: announced.route, sunsetAt: '2025-01-01T00:00:00Z' })).toEqual({
    errors: ['BAD_INPUT: input.sunsetAt: expected a time that is not before `deprecatedAt`'],
  });
});

test('super admins alone announce and read announcements, and the audit tells who did', async () => {
  const refused = await deprecate(announced, { user: ana.user });
  const read = await app.graphql('{ deprecations { totalCount } }', {}, app.platform);
  const { deprecateRoute } = await deprecate(announced);
  const list = await app.graphql('{ deprecations { nodes { route text platform { id } } } }', {}, admin);
  const query =
    '{ auditEntries(filter: { recordType: { eq: "Deprecation" }, recordKey: { eq: "ID" } }) { nodes { action user { id } } } }';
  const { auditEntries } = await app.graphql(query.replace('ID', deprecateRoute.id), {}, admin);
  expect([refused, read, list, auditEntries]).toEqual([
    { errors: ['FORBIDDEN: only for: super admin'] },
    { errors: ['FORBIDDEN: only for: super admin'] },
    { deprecations: { nodes: [{ route: announced.route, text: announced.text, platform: null }] } },
    { nodes: [{ action: 'CREATED', user: { id: admin.id } }] },
  ]);
});

test('the usage tells a platform what is announced to it', async () => {
  await deprecate({ ...announced, platformId: 'second', sunsetAt: '2027-01-01T00:00:00Z' });
  await teams(second);
  const end = '{ platformUsage { routes { route end { deprecatedAt sunsetAt text link rehearsalBeginsAt } } } }';
  expect((await app.graphql(end, {}, second)).platformUsage.routes).toEqual([
    {
      route: announced.route,
      end: {
        deprecatedAt: '2026-01-01T00:00:00Z',
        sunsetAt: '2027-01-01T00:00:00Z',
        text: announced.text,
        link: '/reference#getDataTeams',
        rehearsalBeginsAt: null,
      },
    },
  ]);
});
