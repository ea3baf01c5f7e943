import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let player: Person;
let key: Tokens;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
  key = { platform: (await newKey(app)).key };
});
afterAll(() => app.close());

const errorOf = async (query: string, tokens: Tokens): Promise<string> => (await app.graphql(query, {}, tokens)).errors?.[0];

test('a field for users is UNAUTHENTICATED to platforms and keys without a user token', async () => {
  const query = 'mutation { registerTeam(input: { eventId: "x" }) { id } }';
  const expected = 'UNAUTHENTICATED: a user token is needed: user';
  expect({ platform: await errorOf(query, app.platform), key: await errorOf(query, key) }).toEqual({
    platform: expected,
    key: expected,
  });
});

test('a field for users with a role is UNAUTHENTICATED without a user token, and FORBIDDEN to users without the role', async () => {
  const query = '{ auditEntries { totalCount } }';
  expect({
    nobody: await errorOf(query, {}),
    platform: await errorOf(query, app.platform),
    player: await errorOf(query, player),
    playerOfPlatform: await errorOf(query, { ...app.platform, user: player.user }),
  }).toEqual({
    nobody: 'UNAUTHENTICATED: a token is needed: role ADMIN',
    platform: 'UNAUTHENTICATED: a user token is needed: role ADMIN',
    player: 'FORBIDDEN: only for: role ADMIN',
    playerOfPlatform: 'FORBIDDEN: only for: role ADMIN',
  });
});

test('a field for platforms only is FORBIDDEN to keys and users, because signing in does not permit it', async () => {
  const query = '{ paymentSetups { totalCount } }';
  expect({ key: await errorOf(query, key), player: await errorOf(query, player) }).toEqual({
    key: 'FORBIDDEN: only for: platform',
    player: 'FORBIDDEN: only for: platform',
  });
});

test('a filter for users names its path', async () => {
  expect(await errorOf('{ tournaments(filter: { registrations: { some: {} } }) { totalCount } }', key)).toBe(
    'UNAUTHENTICATED: filter.registrations: a user token is needed: platform or user',
  );
});

test('/v1 keeps its statuses and calls roles permissions', async () => {
  const news = await app.rest('PUT', '/v1/admin/news/x', player, { payload: { title: 'Finals' } });
  const category = await app.rest('POST', '/v1/categories', player, { payload: { title: 'Finals' } });
  expect({ news: [news.status, news.body.Message], category: [category.status, category.body.Message] }).toEqual({
    news: [403, 'only for: platform or permission ADMIN or permission NEWS_CREATOR or permission NEWS_ADMIN'],
    category: [403, 'only for: permission NEWS_CREATOR'],
  });
});
