import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { lastValue } from '../support/mailbox.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com' });
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

/** Lookups, which a key opens as every token does. */
const isLookup = (path: string) => /lookup_(?!platforms)|roles_per_module/.test(path);

/** The operations that ask for a token and do not refuse these headers, made anew for each: some of them end the token. */
async function opened(headers: () => Promise<Record<string, string>>): Promise<string[]> {
  const closed = entriesOf(legacyRoutes).filter(({ alternatives }) => alternatives.every(({ auth }) => auth !== 'anyone'));
  const found = await Promise.all(
    closed.map(async ({ method, path }) => {
      const { status } = await fetch(app.origin + path.replaceAll(/[{}]/g, ''), { method, headers: await headers() });
      return { operation: `${method} ${path}`, path, status };
    }),
  );
  expect(found.filter(({ status }) => status >= 500 || status === 401)).toEqual([]);
  const open = found.filter(({ status }) => status !== 403);
  expect(open.filter(({ path, status }) => isLookup(path) && status !== 200)).toEqual([]);
  return open.filter(({ path }) => !isLookup(path)).map(({ operation }) => operation);
}

/** Sign-on, and what signed-out visitors read; no lists of people, nothing that awaits approval, nobody's own records. */
const openToKeys = [
  'GET /v1/clubs_flat_data_search',
  'GET /v1/data/leagues',
  'GET /v1/data/leagues/{uuid}',
  'GET /v1/data/leagues_flat_data_search',
  'GET /v1/data/news',
  'GET /v1/data/news/{slug}',
  'GET /v1/data/news_outlet',
  'GET /v1/data/news_outlet/{uuid}',
  'GET /v1/data/partner_rankings',
  'GET /v1/data/partner_rankings_stats',
  'GET /v1/data/sponsors',
  'GET /v1/data/sponsors/{uuid}',
  'GET /v1/data/teams',
  'GET /v1/data/teams/{uuid}',
  'GET /v1/data/tournament_events/{uuid}/points',
  'GET /v1/data/tournament_referee',
  'GET /v1/data/tournament_referee/{uuid}',
  'GET /v1/data/tourney_flat_data',
  'GET /v1/users/{uuid}',
  'POST /v1/pub/contactus',
  'POST /v1/pub/forgot_password',
  'POST /v1/pub/register_users',
  'POST /v1/pub/request_forgot_password',
  'POST /v1/pub/resend_validation_email',
  'POST /v1/sso/login',
];

test('under /v1 a key opens sign-on and what visitors read, and everything else is a 403', async () => {
  expect((await opened(async () => ({ 'PB-API-TOKEN': key }))).sort()).toEqual(openToKeys);
});

test('as a bearer it opens the same', async () => {
  expect((await opened(async () => ({ Authorization: `Bearer ${key}` }))).sort()).toEqual(openToKeys);
});

test('beside a user token it adds to what the user may what it opens by itself, and no letter A', async () => {
  const alone = await opened(async () => ({ 'PB-USER-TOKEN': (await app.person()).user }));
  const beside = await opened(async () => ({ 'PB-API-TOKEN': key, Authorization: `Bearer ${(await app.person()).user}` }));
  expect(beside.sort()).toEqual([...new Set([...alone, ...openToKeys])].sort());
});

test('a refusal says that the key is of the wrong kind', async () => {
  const message = async (method: string, path: string) => (await app.rest(method, path, { platform: key })).body.Message;
  expect([
    await message('POST', '/sso_platform/token'),
    await message('GET', '/v1/data/lookup_platforms'),
    await message('POST', '/v1/categories'),
    await message('GET', '/v1/admin/pending_sponsors'),
    await message('GET', '/v1/users/person-1/favorites'),
  ]).toEqual([
    'a publishable key does not open this: it needs a platform token in the header PB-API-TOKEN',
    'a publishable key does not open this: it needs a token in the header PB-API-TOKEN or PB-USER-TOKEN',
    'a publishable key does not open this: it needs a user token in the header PB-USER-TOKEN',
    'a publishable key does not open this: it needs a platform token in the header PB-API-TOKEN',
    'a publishable key does not open this: it needs a token in the header PB-API-TOKEN or PB-USER-TOKEN',
  ]);
});

test('an app registers a person with a key, who signs in; its headers are not believed', async () => {
  const send = async (path: string, payload: object) => {
    const response = await fetch(app.origin + path, {
      method: 'POST',
      headers: {
        'PB-API-TOKEN': key,
        'content-type': 'application/json',
        Browser: 'App',
        IpAddress: '203.0.113.5',
        'X-Forwarded-For': '203.0.113.6',
      },
      body: JSON.stringify({ payload }),
    });
    return [response.status, await response.json()] as const;
  };
  const person = { email: 'ana@example.com', password: 'correct horse' };
  const [registered, sent] = await send('/v1/pub/register_users', { ...person, firstName: 'Ana' });
  await app.rest('GET', `/v1/pub/validate_email/${await lastValue(app, person.email)}`);
  const [status, { result }] = await send('/v1/sso/login', person);
  const [user] = await app.sql.rows(
    'select u.platform_id, t.device from app_user u join user_token t on t.user_id = u.id where u.id = $1',
    [result.uuid],
  );
  expect([registered, sent, status, result.email, user]).toEqual([
    200,
    { response: { mailSent: true } },
    200,
    'ana@example.com',
    { platform_id: 'test-platform', device: 'App, 127.0.0.1' },
  ]);
});
