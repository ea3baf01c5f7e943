import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({
    RATE_LIMITS: 'requests.platform=500/1s,platform.lookups=100/2m',
    STREAMS_PER_CALLER: '40',
    STREAM_COST_PER_CALLER: '9000',
  });
});
afterAll(() => app.close());

const limits = async (tokens: Tokens, id = 'test-platform') => {
  const query = 'query ($id: ID!) { platform(id: $id) { limits { limit description maximum period } } }';
  const { platform, errors } = await app.graphql(query, { id }, tokens);
  return errors ?? platform.limits;
};

test('a platform and administrators see the configured limits of the platform', async () => {
  const admin = await app.person({ roles: ['ADMIN'] });
  const list = await limits(app.platform);
  const configured = list.map(({ limit, maximum, period }: { limit: string; maximum: number; period: number | null }) => ({
    limit,
    maximum,
    period,
  }));
  expect(configured).toEqual([
    { limit: 'requests.platform', maximum: 500, period: 1 },
    { limit: 'platform.passwords', maximum: 300, period: 900 },
    { limit: 'platform.lookups', maximum: 100, period: 120 },
    { limit: 'platform.contact', maximum: 600, period: 3600 },
    { limit: 'STREAMS_PER_CALLER', maximum: 40, period: null },
    { limit: 'STREAM_COST_PER_CALLER', maximum: 9000, period: null },
  ]);
  expect(list[0].description).toBe('All requests of one platform in each process, including requests with its publishable keys.');
  expect(await limits({ user: admin.user })).toEqual(list);
});

test('other platforms, players and visitors see no limits', async () => {
  await app.sql.rows(`insert into platform (id, title) values ('other', 'Other')`);
  const player = await app.person();
  const { key } = await newKey(app);
  expect({
    ofOther: await limits(app.platform, 'other'),
    player: await limits({ user: player.user }),
    visitor: await limits({ platform: key }),
  }).toEqual({ ofOther: null, player: null, visitor: [expect.stringMatching(/^UNAUTHENTICATED/)] });
});
