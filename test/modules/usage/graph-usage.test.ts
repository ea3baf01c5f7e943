import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { subscribe } from '../../support/clients/event-stream.js';
import { subscribeBySocket } from '../../support/clients/websocket.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp({ RESPONSE_CACHE_MB: '8' });
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

const ofPlatform = '(platformId: "test-platform")';
const usageOf = async (selection: string, args = ofPlatform) =>
  (await app.graphql(`{ platformUsage${args} { graph { ${selection} } } }`, {}, { user: admin.user })).platformUsage.graph;

const outcomes = 'counts { calls clientErrors serverErrors }';
const outcome = (calls: number, clientErrors = 0) => ({ calls, clientErrors, serverErrors: 0 });

test('operations count in total and for each root field', async () => {
  const query =
    'query { ...Root clubs { totalCount } more: clubs { totalCount } } fragment Root on Query { tournaments { totalCount } }';
  const { key } = await newKey(app);
  for (const platform of [app.platform.platform, app.platform.platform, app.platform.platform, key])
    await app.graphql(query, {}, { platform });
  expect(await usageOf(`${outcomes} fields { operation field ${outcomes} }`)).toEqual({
    counts: outcome(5),
    fields: [
      { operation: 'query', field: 'clubs', counts: outcome(4) },
      { operation: 'query', field: 'tournaments', counts: outcome(4) },
      // This mutation created the key.
      { operation: 'mutation', field: 'createPublishableKey', counts: outcome(1) },
    ],
  });
});

test('failed operations count as errors, and refused requests count only in the total', async () => {
  await app.graphql('mutation { createClub: deleteClub(id: "unknown") { id } }');
  await app.graphql('{ unknown }');
  await app.graphql('query ($id: ID!) { club(id: $id) { id } }', {});
  const { counts, fields } = await usageOf(`${outcomes} fields { operation field ${outcomes} }`);
  expect({
    counts,
    failed: fields.filter(({ counts: { clientErrors } }: { counts: { clientErrors: number } }) => clientErrors),
  }).toEqual({
    counts: outcome(8, 3),
    failed: [
      { operation: 'mutation', field: 'deleteClub', counts: outcome(1, 1) },
      { operation: 'query', field: 'club', counts: outcome(1, 1) },
    ],
  });
});

test('a subscription counts when it starts', async () => {
  const query = 'subscription { changes(records: ["Club"]) { kind } }';
  const streams = [await subscribe(app, app.platform, query), await subscribeBySocket(app, app.platform, query)];
  const { fields } = await usageOf(`fields { operation field ${outcomes} }`);
  for (const stream of streams) stream.close();
  expect(fields).toContainEqual({ operation: 'subscription', field: 'changes', counts: outcome(2) });
});

test('the report has days, callers and response times, and no calls to /v1', async () => {
  await app.rest('GET', '/v1/data/teams', app.platform);
  const { graph, ...v1 } = (
    await app.graphql(
      `{ platformUsage(platformId: "test-platform") {
        counts { calls } routes { route } callers { routes }
        graph { counts { p50 } days { counts { calls } } callers { caller platform { title } routes counts { calls } } }
      } }`,
      {},
      { user: admin.user },
    )
  ).platformUsage;
  expect({ v1, days: graph.days.length, today: graph.days.at(-1), callers: graph.callers, p50: graph.counts.p50 > 0 }).toEqual({
    v1: { counts: { calls: 1 }, routes: [{ route: 'GET /v1/data/teams' }], callers: [{ routes: 1 }] },
    days: 30,
    today: { counts: { calls: 10 } },
    callers: [{ caller: 'PLATFORM', platform: { title: 'Test Platform' }, routes: 6, counts: { calls: 10 } }],
    p50: true,
  });
  expect(await app.resources.services.usage?.calledBy('test-platform')).toEqual(new Set(['GET /v1/data/teams']));
});

test('an operation with a cached response is counted', async () => {
  let calls = 0;
  await vi.waitUntil(async () => {
    calls += 1;
    const texts = app.texts();
    await app.graphql('{ club(id: "unknown") { title } }');
    return !texts.some((text) => /from "?club\b/.test(text));
  });
  const { fields } = await usageOf(`fields { field ${outcomes} }`);
  // Another test has sent one operation with an error.
  expect({ isRepeated: calls > 1, club: fields.find(({ field }: { field: string }) => field === 'club') }).toEqual({
    isRepeated: true,
    club: { field: 'club', counts: outcome(calls + 1, 1) },
  });
});
