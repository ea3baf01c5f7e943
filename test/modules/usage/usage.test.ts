import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Session } from '../../../src/kernel/session.js';
import { UsageCounter } from '../../../src/modules/usage/usage-counter.js';
import { addUsage, deleteOldUsage } from '../../../src/modules/usage/usage-sql.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';
import { secondProcess } from '../../support/servers/second-app.js';

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

test('a call is counted for its platform and route with any status, and HEAD like GET', async () => {
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

test('calledBy returns the routes that a platform has called', async () => {
  expect(await app.resources.services.usage?.calledBy('test-platform')).toEqual(
    new Set(['GET /v1/data/teams', 'GET /v1/data/news/{slug}']),
  );
});

test('users without a platform and callers with an unknown token are counted separately', async () => {
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

test('a platform sees only its own calls, an admin sees all, and a user sees none', async () => {
  expect({
    platform: await usage('counts { calls } callers { caller }', '', app.platform),
    admin: await usage('counts { calls }'),
    platformAskingForAnother: await usage('counts { calls }', '(platformId: "another")', app.platform),
    platformAskingForUsers: await usage('counts { calls }', '(caller: USER)', app.platform),
    user: await usage('counts { calls }', '', { user: ana.user }),
  }).toEqual({
    platform: { counts: { calls: 4 }, callers: [{ caller: 'PLATFORM' }] },
    admin: { counts: { calls: 7 } },
    platformAskingForAnother: { errors: ['FORBIDDEN: platformId: a platform can see only its own calls'] },
    platformAskingForUsers: { errors: ['FORBIDDEN: caller: a platform can see only its own calls'] },
    user: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN'] },
  });
});

test('counts of several processes are added up', async () => {
  const other = await secondProcess(app);
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  for (let call = 0; call < 3; call++) await fetch(`${other.origin}/v1/data/lookup_countries`, { headers });
  await app.rest('GET', '/v1/data/lookup_countries', app.platform);
  await other.close();
  const [countries] = (await routes('counts { calls p50 p95 p99 firstSeenAt lastSeenAt }')).filter(
    ({ route }: { route: string }) => route === 'GET /v1/data/lookup_countries',
  );
  const { calls, p50, p95, p99, firstSeenAt, lastSeenAt } = countries.counts;
  expect(calls).toBe(4);
  expect(p50).toBeGreaterThan(0);
  expect(p95).toBeGreaterThanOrEqual(p50);
  expect(p99).toBeGreaterThanOrEqual(p95);
  expect(firstSeenAt < lastSeenAt, `${firstSeenAt} is before ${lastSeenAt}`).toBe(true);
});

test('counts that cannot be written are kept and written once later', async () => {
  const callCount = async () => (await usage('counts { calls }')).counts.calls;
  const before = await callCount();
  await app.sql.rows('alter table usage_sender rename to usage_sender_away');
  await app.rest('GET', '/v1/data/lookup_roles', app.platform);
  await app.resources.services.usage?.flush();
  await app.rest('GET', '/v1/data/lookup_roles', app.platform);
  const whileTableIsMissing = await callCount();
  await app.sql.rows('alter table usage_sender_away rename to usage_sender');
  expect({ whileTableIsMissing, afterwards: await callCount(), later: await callCount() }).toEqual({
    whileTableIsMissing: before,
    afterwards: before + 2,
    later: before + 2,
  });
});

test('a batch that is sent twice is counted once', async () => {
  const counter = new UsageCounter();
  counter.add('GET /v1/again', null, 200, 0, 1);
  const usageCounts = counter.drain();
  const sql = new Session(app.resources.pools, 'write');
  const sender = randomUUID();
  if (usageCounts) for (const batch of [1, 1, 2]) await addUsage(sql, sender, batch, usageCounts);
  const rows = await app.sql.rows(`select calls::int from route_usage where route = 'GET /v1/again'`);
  expect(rows).toEqual([{ calls: 2 }]);
});

test('usage covers the last 30 days, including days without calls', async () => {
  const { from, to, days } = await usage('from to days { day counts { calls p50 } }', `(to: "${today}")`);
  expect({ dayCount: days.length, firstDay: days[0], lastDay: days.at(-1).day }).toEqual({
    dayCount: 30,
    firstDay: { day: from, counts: { calls: 0, p50: null } },
    lastDay: to,
  });
});

test('a report covers at most 100 days, so it starts at most 99 days before its end', async () => {
  const [longest, tooLong] = [
    await usage('from days { day }', '(from: "2025-01-01", to: "2025-04-10")'),
    await usage('from', '(from: "2025-01-01", to: "2025-04-11")'),
  ];
  expect({ dayCount: longest.days.length, tooLong }).toEqual({
    dayCount: 100,
    tooLong: { errors: ['BAD_INPUT: from: expected a day at most 99 days before `to`'] },
  });
});

test('an invalid range of days is rejected', async () => {
  expect({
    fromAfterTo: await usage('from', '(from: "2026-02-02", to: "2026-02-01")'),
    tooLong: await usage('from', '(from: "2025-01-01", to: "2026-02-01")'),
    tooEarly: await usage('from', '(to: "0001-01-01")'),
  }).toEqual({
    fromAfterTo: { errors: ['BAD_INPUT: from: expected a day on or before `to`'] },
    tooLong: { errors: ['BAD_INPUT: from: expected a day at most 99 days before `to`'] },
    tooEarly: { errors: ['BAD_INPUT: to: expected a date on or after 2000-01-01'] },
  });
});

test('routes that a user calls within a second are reported as co-occurring, including one route called twice', async () => {
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

test('co-occurring routes have one replacement query, which GraphiQL can open', async () => {
  const { together } = await usage(
    'together { routes graphiqlPath replacements { when rootFields document } }',
    '',
    app.platform,
  );
  const endingInFormats = (routeCount: number) =>
    together.find(
      ({ routes }: { routes: string[] }) => routes.length === routeCount && routes.at(-1) === 'GET /v1/data/lookup_formats',
    );
  const [twoRoutes, repeatedRoute] = [endingInFormats(2), endingInFormats(1)];
  expect({ graphiqlPath: twoRoutes.graphiqlPath, rootFields: twoRoutes.replacements[0].rootFields }).toEqual({
    graphiqlPath: '/graphql?operation=getDataLookupBracketLevels,getDataLookupFormats',
    rootFields: expect.arrayContaining([expect.any(String)]),
  });
  expect({ graphiqlPath: repeatedRoute.graphiqlPath, replacementCount: repeatedRoute.replacements.length }).toEqual({
    graphiqlPath: '/graphql?operation=getDataLookupFormats,getDataLookupFormats',
    replacementCount: 1,
  });
  const answer = await app.graphql(repeatedRoute.replacements[0].document, {}, app.platform);
  const [first, second] = Object.values(answer);
  expect(Object.keys(answer)).toHaveLength(2);
  expect(second).toEqual(first);
});

test('each route has its operation, reference and replacement query', async () => {
  const calledRoutes = await routes(
    'operation referencePath graphiqlPath replacements { when rootFields document }',
    '',
    app.platform,
  );
  const teams = calledRoutes.find(({ route }: { route: string }) => route === 'GET /v1/data/teams');
  expect(teams).toEqual({
    route: 'GET /v1/data/teams',
    operation: 'getDataTeams',
    referencePath: '/reference#getDataTeams',
    graphiqlPath: '/graphql?operation=getDataTeams',
    replacements: [{ when: null, rootFields: ['teams'], document: expect.stringMatching(/^query GetDataTeams.*\n {2}teams\(/) }],
  });
});

test('forgetUsage deletes days older than USAGE_DAYS and all but the most frequent route pairs of a day', async () => {
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
  await deleteOldUsage(new Session(app.resources.pools, 'write'), app.resources.services);
  const daysLeft = (table: string) => app.sql.rows(`select current_date - day as days from ${table} where route = 'GET /v1/old'`);
  expect({
    usage: await daysLeft('route_usage'),
    shadowReads: await daysLeft('shadow_read'),
    shadowDifferences: await daysLeft('shadow_difference'),
  }).toEqual({ usage: [{ days: 399 }], shadowReads: [{ days: 399 }], shadowDifferences: [{ days: 399 }] });
  const pairs = await app.sql.rows(`select min(times)::int as least from route_pair where first_route = 'GET /v1/old'`);
  expect(pairs).toEqual([{ least: 2 }]);
});
