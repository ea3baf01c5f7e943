import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let player: Person;
let publishableKey: Tokens;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
  publishableKey = { platform: (await newKey(app)).key };
});
afterAll(() => app.close());

const errorOf = async (query: string, tokens: Tokens): Promise<string> => (await app.graphql(query, {}, tokens)).errors?.[0];

test('a field for users is UNAUTHENTICATED to platforms and keys without a user token', async () => {
  const query = 'mutation { registerTeam(input: { eventId: "x" }) { id } }';
  const expected = 'UNAUTHENTICATED: Authentication required: send a user token (header PB-USER-TOKEN)';
  expect({ platform: await errorOf(query, app.platform), key: await errorOf(query, publishableKey) }).toEqual({
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
    nobody: 'UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)',
    platform: 'UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)',
    player: 'FORBIDDEN: Not allowed: requires a user token with the role ADMIN',
    playerOfPlatform: 'FORBIDDEN: Not allowed: requires a user token with the role ADMIN',
  });
});

const platformToken = 'a platform token (header PB-API-TOKEN)';
const userToken = 'a user token (header PB-USER-TOKEN)';

test.each([
  ['{ clubs { totalCount } }', `a publishable key (header PB-API-TOKEN), ${userToken}, or ${platformToken}`],
  ['{ games { totalCount } }', `${platformToken}, or ${userToken}`],
  [
    'mutation { login(input: { email: "x", password: "x" }) { token } }',
    `${platformToken}, or a publishable key (header PB-API-TOKEN)`,
  ],
  [
    'mutation { eraseUser(id: "x") { user { id } } }',
    'a user token with the role ADMIN (header PB-USER-TOKEN), or a user token of the user in `id` (header PB-USER-TOKEN)',
  ],
])('%s without a token requires %s', async (query, credentials) => {
  expect(await errorOf(query, {})).toBe(`UNAUTHENTICATED: Authentication required: send ${credentials}`);
});

test.each([
  ['mutation { upsertClub(input: {}) { id } }', 'a platform token, or a user token with the role ADMIN'],
  ['{ prematches { totalCount } }', 'a platform token, or a user token with the role ADMIN or REFEREE'],
  ['{ userByEmail(email: "x") { id } }', 'a platform token, or a user token of a super admin'],
  [
    'mutation { approveItem(type: BIOGRAPHY, id: "x") { state } }',
    'a platform token without a user token, or a user token with the role CONTENT_CONFIRMER',
  ],
])('%s by a player requires %s', async (query, credentials) => {
  expect(await errorOf(query, player)).toBe(`FORBIDDEN: Not allowed: requires ${credentials}`);
});

test('a field for platforms only is FORBIDDEN to keys and users, because signing in does not permit it', async () => {
  const query = 'mutation { deletePaymentSetup(id: "unknown") { id } }';
  expect({ key: await errorOf(query, publishableKey), player: await errorOf(query, player) }).toEqual({
    key: 'FORBIDDEN: Not allowed: requires a platform token',
    player: 'FORBIDDEN: Not allowed: requires a platform token',
  });
});

test('a filter for users names its path', async () => {
  expect(await errorOf('{ tournaments(filter: { registrations: { some: {} } }) { totalCount } }', publishableKey)).toBe(
    'UNAUTHENTICATED: filter.registrations: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
  );
});

test('/v1 keeps its statuses, and its messages call roles permissions', async () => {
  const news = await app.rest('PUT', '/v1/admin/news/x', player, { payload: { title: 'Finals' } });
  const category = await app.rest('POST', '/v1/categories', player, { payload: { title: 'Finals' } });
  expect({ news: [news.status, news.body.Message], category: [category.status, category.body.Message] }).toEqual({
    news: [403, 'only for: platform or permission ADMIN or permission NEWS_CREATOR or permission NEWS_ADMIN'],
    category: [403, 'only for: permission NEWS_CREATOR'],
  });
});
