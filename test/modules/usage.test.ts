import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Session } from '../../src/kernel/session.js';
import { UsageCounter } from '../../src/modules/usage/usage-counter.js';
import { addUsage, forgetUsage } from '../../src/modules/usage/usage-sql.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { secondProcess } from '../support/second-process.js';

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  [ana, admin] = [await app.person(), await app.person({ roles: ['ADMIN'] })];
});
afterAll(() => app.close());

const today = new Date().toISOString().slice(0, 10);
const usage = async (selection: string, args = '', tokens: Tokens = { user: admin.user }) => {
  const answer = await app.graphql(`{ platformUsage${args} { ${selection} } }`, {}, tokens);
  return answer.platformUsage ?? answer;
};
const routes = async (selection: string, args = '', tokens?: Tokens) =>
  (await usage(`routes { route ${selection} }`, args, tokens)).routes;

test('each call counts for its platform and route, however it ends, and with HEAD as with GET', async () => {
  const { key } = await newKey(app);
  await app.rest('GET', '/v1/data/teams?page_size=1', app.platform);
  await app.rest('HEAD', '/v1/data/teams', app.platform);
  await app.rest('GET', '/v1/data/teams?page_size=wrong', app.platform);
  await app.rest('GET', '/v1/data/news/none', { platform: key });
  await app.rest('GET', '/v1/data/nowhere', app.platform);
  const counts = 'counts { calls clientErrors serverErrors } days { day counts { calls } }';
  expect(await routes(counts, '', app.platform)).toEqual([
    {
      route: 'GET /v1/data/teams',
      counts: { calls: 3, clientErrors: 1, serverErrors: 0 },
      days: [{ day: today, counts: { calls: 3 } }],
    },
    {
      route: 'GET /v1/data/news/{slug}',
      counts: { calls: 1, clientErrors: 1, serverErrors: 0 },
      days: [{ day: today, counts: { calls: 1 } }],
    },
  ]);
});

test('the routes that a platform has called are known', async () => {
  expect(await app.resources.services.usage?.calledBy('test-platform')).toEqual(
    new Set(['GET /v1/data/teams', 'GET /v1/data/news/{slug}']),
  );
});

test('users without a platform, and those whom nobody knows, count as what they are', async () => {
  await app.rest('GET', '/v1/data/lookup_ratings', { user: ana.user });
  await app.rest('GET', '/v1/data/lookup_ratings', { user: 'unknown' });
  await app.rest('GET', '/v1/data/lookup_ratings');
  const { callers } = await usage('callers { caller platform { title } counts { calls clientErrors } }');
  expect(callers).toEqual([
    { caller: 'PLATFORM', platform: { title: 'Test Platform' }, counts: { calls: 4, clientErrors: 2 } },
    { caller: 'ANONYMOUS', platform: null, counts: { calls: 2, clientErrors: 2 } },
    { caller: 'USER', platform: null, counts: { calls: 1, clientErrors: 0 } },
  ]);
});

test('a platform sees its own calls only, admins all, and nobody else any', async () => {
  const own = await usage('counts { calls } callers { caller }', '', app.platform);
  const all = await usage('counts { calls }');
  const other = await usage('counts { calls }', '(platformId: "another")', app.platform);
  const users = await usage('counts { calls }', '(caller: USER)', app.platform);
  const player = await usage('counts { calls }', '', { user: ana.user });
  expect([own, all, other, users, player]).toEqual([
    { counts: { calls: 4 }, callers: [{ caller: 'PLATFORM' }] },
    { counts: { calls: 7 } },
    { errors: ['FORBIDDEN: platformId: a platform sees its own calls only'] },
    { errors: ['FORBIDDEN: caller: a platform sees its own calls only'] },
    { errors: ['FORBIDDEN: only for: platform or permission ADMIN'] },
  ]);
});

test('what several processes count adds up', async () => {
  const other = await secondProcess(app);
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  for (let call = 0; call < 3; call++) await fetch(`${other.origin}/v1/data/lookup_countries`, { headers });
  await app.rest('GET', '/v1/data/lookup_countries', app.platform);
  await other.close();
  const [countries] = (await routes('counts { calls p50 p95 p99 firstSeenAt lastSeenAt }')).filter(
    ({ route }: { route: string }) => route === 'GET /v1/data/lookup_countries',
  );
  const { calls, p50, p95, p99, firstSeenAt, lastSeenAt } = countries.counts;
  expect([calls, p50 > 0, p50 <= p95, p95 <= p99, firstSeenAt < lastSeenAt]).toEqual([4, true, true, true, true]);
});

test('what cannot be written is kept and written later, once', async () => {
  const callsOf = async () => (await usage('counts { calls }')).counts.calls;
  const before = await callsOf();
  await app.sql.rows('alter table usage_sender rename to usage_sender_away');
  await app.rest('GET', '/v1/data/lookup_roles', app.platform);
  await app.resources.services.usage?.flush();
  await app.rest('GET', '/v1/data/lookup_roles', app.platform);
  const away = await callsOf();
  await app.sql.rows('alter table usage_sender_away rename to usage_sender');
  expect([away, await callsOf(), await callsOf()]).toEqual([before, before + 2, before + 2]);
});

test('a batch that arrives again, because nobody knew that it had arrived, adds nothing', async () => {
  const counter = new UsageCounter();
  counter.add('GET /v1/again', null, 200, 0, 1);
  const counted = counter.take();
  const sql = new Session(app.resources.pools, 'write');
  const sender = randomUUID();
  if (counted) for (const batch of [1, 1, 2]) await addUsage(sql, sender, batch, counted);
  const again = await app.sql.rows(`select calls::int from route_usage where route = 'GET /v1/again'`);
  expect(again).toEqual([{ calls: 2 }]);
});

test('the days burn down, those without calls among them', async () => {
  const { from, to, days } = await usage('from to days { day counts { calls p50 } }', `(to: "${today}")`);
  expect([days.length, days[0].day, days.at(-1).day, days[0].counts]).toEqual([30, from, to, { calls: 0, p50: null }]);
});

test('a range that cannot be is told', async () => {
  const ranges = ['(from: "2026-02-02", to: "2026-02-01")', '(from: "2025-01-01", to: "2026-02-01")', '(to: "0001-01-01")'];
  expect(await Promise.all(ranges.map((range) => usage('from', range)))).toEqual([
    { errors: ['BAD_INPUT: from: expected a day that is not after `to`'] },
    { errors: ['BAD_INPUT: from: expected a day at most 100 days before `to`'] },
    { errors: ['BAD_INPUT: to: expected a day from 2000-01-01 on'] },
  ]);
});

test('calls that come together within a second are told, and so is one that is repeated', async () => {
  const get = (path: string) => app.rest('GET', path, { platform: app.platform.platform, user: ana.user });
  await get('/v1/data/lookup_bracket_levels');
  await get('/v1/data/lookup_formats');
  await get('/v1/data/lookup_formats');
  const { together } = await usage('together { routes times share }', '(caller: PLATFORM)');
  const formats = together.filter(({ routes }: { routes: string[] }) => routes.every((route) => /bracket|formats/.test(route)));
  expect(formats).toEqual([
    { routes: ['GET /v1/data/lookup_bracket_levels', 'GET /v1/data/lookup_formats'], times: 2, share: 1 },
    { routes: ['GET /v1/data/lookup_formats'], times: 1, share: 0.5 },
  ]);
});

test('what is called together has one query that answers all of it, and GraphiQL opens with it', async () => {
  const { together } = await usage(
    'together { routes graphiqlPath replacements { when rootFields document } }',
    '',
    app.platform,
  );
  const one = (count: number) =>
    together.find(({ routes: of }: { routes: string[] }) => of.length === count && of.at(-1) === 'GET /v1/data/lookup_formats');
  const [both, twice] = [one(2), one(1)];
  expect([both.graphiqlPath, twice.graphiqlPath, both.replacements[0].rootFields, twice.replacements.length]).toEqual([
    '/graphql?operation=getDataLookupBracketLevels,getDataLookupFormats',
    '/graphql?operation=getDataLookupFormats,getDataLookupFormats',
    expect.arrayContaining([expect.any(String)]),
    1,
  ]);
  const answer = await app.graphql(twice.replacements[0].document, {}, app.platform);
  const [first, second] = Object.values(answer);
  expect([Object.keys(answer).length, first]).toEqual([2, second]);
});

test('each route says what to call instead', async () => {
  const known = await routes('operation referencePath graphiqlPath replacements { when rootFields document }', '', app.platform);
  const teams = known.find(({ route }: { route: string }) => route === 'GET /v1/data/teams');
  expect(teams).toEqual({
    route: 'GET /v1/data/teams',
    operation: 'getDataTeams',
    referencePath: '/reference#getDataTeams',
    graphiqlPath: '/graphql?operation=getDataTeams',
    replacements: [{ when: null, rootFields: ['teams'], document: expect.stringMatching(/^query GetDataTeams.*\n {2}teams\(/) }],
  });
});

test('every day what is older than USAGE_DAYS goes, and of the pairs of a day all but the most frequent', async () => {
  const insert = async (days: number) => {
    await app.sql.rows(
      `insert into shadow_read (day, caller, route, same, different, unanswered, dropped)
       values (current_date - $1::int, 'USER', 'GET /v1/old', 0, 1, 0, 0)`,
      [days],
    );
    await app.sql.rows(
      `insert into shadow_difference (day, caller, route, kind, path, times, first_seen_at, last_seen_at)
       values (current_date - $1::int, 'USER', 'GET /v1/old', 'value', '', 1, now(), now())`,
      [days],
    );
    await app.sql.rows(
      `insert into route_usage (day, caller, route, calls, client_errors, server_errors, latencies, first_seen_at, last_seen_at)
       values (current_date - $1::int, 'USER', 'GET /v1/old', 1, 0, 0, '{}', now(), now())`,
      [days],
    );
  };
  await Promise.all([insert(399), insert(402)]);
  await app.sql.rows(
    `insert into route_pair (day, caller, first_route, second_route, times)
     select current_date - 2, 'USER', 'GET /v1/old', 'GET /v1/' || n, n from generate_series(1, 101) n`,
  );
  await forgetUsage(new Session(app.resources.pools, 'write'), app.resources.services);
  const left = await app.sql.rows(`select current_date - day as days from route_usage where route = 'GET /v1/old'`);
  const compared = await app.sql.rows(`select current_date - day as days from shadow_read where route = 'GET /v1/old'`);
  const differing = await app.sql.rows(`select current_date - day as days from shadow_difference where route = 'GET /v1/old'`);
  expect([compared, differing]).toEqual([[{ days: 399 }], [{ days: 399 }]]);
  const pairs = await app.sql.rows(`select min(times)::int as least from route_pair where first_route = 'GET /v1/old'`);
  expect([left, pairs]).toEqual([[{ days: 399 }], [{ least: 2 }]]);
});
