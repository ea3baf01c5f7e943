import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { defaultQuotas } from '../../../src/modules/accounts/limits/limit-rules.js';
import { requestBudgets } from '../../../src/modules/accounts/limits/request-budgets.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

const budget = 3;
const headersOf = (token: string) => ({ 'PB-API-TOKEN': token, 'content-type': 'application/json' });
const query = JSON.stringify({ query: '{ currencies { totalCount } }' });

/** A request to each interface, keyed by the name of the interface. */
const requests: Readonly<Record<string, (token: string) => [path: string, init: RequestInit]>> = {
  '/graphql': (token) => ['/graphql', { method: 'POST', headers: headersOf(token), body: query }],
  'a subgraph': (token) => [
    '/subgraphs/reference',
    { method: 'POST', headers: { ...headersOf(token), ...routerHeaders }, body: query },
  ],
  '/v1': (token) => ['/v1/data/lookup_currencies', { headers: headersOf(token) }],
  'an export': (token) => ['/exports/tournaments.csv', { headers: headersOf(token) }],
};

const logLines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await startApp(
    { RATE_LIMITS: `requests.platform=${budget}/1h`, SUBGRAPHS: 'reference', LOG_REQUESTS: 'on' },
    undefined,
    null,
    true,
    logLines,
  );
});
afterAll(() => app.close());

async function newPlatformToken(service = app): Promise<string> {
  const { createPlatform } = await service.graphql(
    'mutation ($title: String!) { createPlatform(input: { title: $title }) { token } }',
    { title: `Platform ${performance.now()}` },
    { user: (await service.person({ isSuperAdmin: true })).user },
  );
  return createPlatform.token;
}

async function send(path: string, init: RequestInit) {
  const response = await fetch(app.origin + path, init);
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
}

test.each(Object.entries(requests))(
  '%s rejects a platform that has used up its budget, but no other platform',
  async (_, requestOf) => {
    const [token, otherToken] = [await newPlatformToken(), await newPlatformToken()];
    const statuses = [];
    for (let count = 0; count < budget; count++) statuses.push((await send(...requestOf(token))).status);
    const { status, retryAfter, text } = await send(...requestOf(token));
    expect({
      statuses,
      status,
      retryAfter: Number(retryAfter),
      text,
      other: (await send(...requestOf(otherToken))).status,
    }).toEqual({
      statuses: [200, 200, 200],
      status: 429,
      retryAfter: expect.closeTo(1_200, -2),
      text: expect.stringContaining('the platform has sent too many requests'),
      other: 200,
    });
  },
);

test('requests with a publishable key count against the budget of its platform, and requests without a platform are not limited', async () => {
  const { key } = await newKey(app);
  const currencies = (headers: Record<string, string>) => send('/v1/data/lookup_currencies', { headers });
  const withKey = [];
  for (let count = 0; count <= budget; count++) withKey.push((await currencies({ 'PB-API-TOKEN': key })).status);
  const { user } = await app.person();
  const withUserToken = [];
  for (let count = 0; count <= budget; count++)
    withUserToken.push(
      (await send('/graphql', { method: 'POST', headers: { ...headersOf(''), 'PB-USER-TOKEN': user }, body: query })).status,
    );
  expect({ withKey: withKey.at(-1), withUserToken: withUserToken.at(-1) }).toEqual({ withKey: 429, withUserToken: 200 });
});

test('a used-up budget grows continuously, and an unused one never exceeds the quota', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const countRequest = requestBudgets(
    { ...defaultQuotas, 'requests.platform': { points: 4, duration: 1 } },
    pino({ enabled: false }),
  );
  const isAllowed = () => {
    try {
      countRequest?.({ platform: { id: 'busy', name: 'Busy' }, key: null, user: null, rejected: false });
      return true;
    } catch {
      return false;
    }
  };
  const allowedAfter = (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    return Array.from({ length: 10 }, isAllowed).filter(Boolean).length;
  };
  expect({
    first: allowedAfter(0),
    afterQuarterOfWindow: allowedAfter(250),
    soonAfterThat: allowedAfter(200),
    afterAnotherQuarter: allowedAfter(50),
    afterManyWindows: allowedAfter(10_000),
  }).toEqual({ first: 4, afterQuarterOfWindow: 1, soonAfterThat: 0, afterAnotherQuarter: 1, afterManyWindows: 4 });
  vi.useRealTimers();
});

test.each([
  { quota: '60 per second', points: 60, duration: 1, last: (59 * 250) / 60 },
  { quota: '3 per hour', points: 3, duration: 3_600, last: 10 },
  { quota: '1,000 per hour', points: 1_000, duration: 3_600, last: 999 },
])('with $quota, requests that arrive at once start one after another', ({ points, duration, last }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const countRequest = requestBudgets({ ...defaultQuotas, 'requests.platform': { points, duration } }, pino({ enabled: false }));
  const delayOf = (id: string) => countRequest?.({ platform: { id, name: id }, key: null, user: null, rejected: false });
  const delays = Array.from({ length: points }, () => delayOf('busy'));
  const otherDelay = delayOf('other');
  vi.advanceTimersByTime(duration * 1000);
  expect({ first: delays[0], last: delays.at(-1), otherDelay, later: delayOf('busy') }).toEqual({
    first: 0,
    last: expect.closeTo(last, 6),
    otherDelay: 0,
    later: 0,
  });
  vi.useRealTimers();
});

test('requests that arrive at once are all processed, one after another', async () => {
  const service = await startApp({ RATE_LIMITS: 'requests.platform=100/1s' }, undefined, null, true);
  const token = await newPlatformToken(service);
  const startedAt = performance.now();
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => fetch(`${service.origin}/v1/data/lookup_currencies`, { headers: headersOf(token) })),
  );
  const took = performance.now() - startedAt;
  await service.close();
  expect({ statuses: new Set(responses.map(({ status }) => status)), isSpread: took >= 247 }).toEqual({
    statuses: new Set([200]),
    isSpread: true,
  });
});

test('the log line of each refused request names the platform', () => {
  const lines = logLines.map((line) => JSON.parse(line)).filter(({ msg, status }) => msg === 'request' && status === 429);
  const platform = { platformId: expect.any(String), platform: expect.stringMatching(/^Platform /) };
  expect(lines.map(({ route, caller, platformId, platform }) => ({ route, caller, platformId, platform }))).toEqual([
    { route: '/graphql', caller: 'platform', ...platform },
    { route: '/subgraphs/reference', caller: 'platform', ...platform },
    { route: '/v1/data/lookup_currencies', caller: 'platform', ...platform },
    { route: '/exports/:list.csv', caller: 'platform', ...platform },
    { route: '/v1/data/lookup_currencies', caller: 'key', platformId: 'test-platform' },
    { route: '/v1/data/lookup_currencies', caller: 'key', platformId: 'test-platform' },
  ]);
});

test('the log contains the first refusal of each platform, with the ID of the request', () => {
  const lines = logLines.map((line) => JSON.parse(line));
  const refusals = lines.filter(({ msg }) => msg === 'request refused by a limit').map(({ time: _, ...fields }) => fields);
  const refusedRequests = lines.filter(({ msg, status }) => msg === 'request' && status === 429);
  const firstRequests = [...Map.groupBy(refusedRequests, ({ platformId }) => platformId).values()].map(([first]) => first);
  const refusal = { level: 30, limit: 'requests.platform', msg: 'request refused by a limit' };
  expect(refusals).toEqual(firstRequests.map(({ requestId, platformId }) => ({ ...refusal, requestId, platformId })));
  expect(new Set(refusals.map(({ platformId }) => platformId)).size).toBe(5);
});
