import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { lastValue } from '../support/clients/mailbox.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com' });
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

/** Whether a path is a lookup. Every token, including a publishable key, may call all lookups. */
const isLookup = (path: string) => /lookup_(?!platforms)|roles_per_module/.test(path);

/**
 * Returns the operations that require a token and accept the given token headers, except the lookups. The headers are created for each
 * operation, because some operations revoke the token.
 */
async function permittedOperations(headers: () => Promise<Record<string, string>>): Promise<string[]> {
  const authenticated = entriesOf(legacyRoutes).filter(({ alternatives }) => alternatives.every(({ auth }) => auth !== 'anyone'));
  const answers = await Promise.all(
    authenticated.map(async ({ method, path, alternatives }) => {
      const { status } = await fetch(app.origin + path.replaceAll(/[{}]/g, ''), { method, headers: await headers() });
      return { operation: `${method} ${path}`, path, status, isForUsers: alternatives.every(({ auth }) => auth === 'user') };
    }),
  );
  expect(answers.filter(({ status, isForUsers }) => status >= 500 || (status === 401 && !isForUsers))).toEqual([]);
  const permitted = answers.filter(({ status }) => status !== 403 && status !== 401);
  expect(permitted.filter(({ path, status }) => isLookup(path) && status !== 200)).toEqual([]);
  return permitted.filter(({ path }) => !isLookup(path)).map(({ operation }) => operation);
}

/**
 * Operations that a publishable key may call, except the lookups: sign-on and public records. Lists of users, pending approvals, and
 * records that belong to one user are not among them.
 */
const operationsForKeys = [
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

test('a publishable key permits sign-on and reads of public records, and is refused everywhere else', async () => {
  expect((await permittedOperations(async () => ({ 'PB-API-TOKEN': key }))).sort()).toEqual(operationsForKeys);
});

test('a publishable key permits the same operations as a bearer token', async () => {
  expect((await permittedOperations(async () => ({ Authorization: `Bearer ${key}` }))).sort()).toEqual(operationsForKeys);
});

test('a publishable key with a user token permits all operations that either of them permits', async () => {
  const userOnly = await permittedOperations(async () => ({ 'PB-USER-TOKEN': (await app.person()).user }));
  const permittedToBoth = await permittedOperations(async () => ({
    'PB-API-TOKEN': key,
    Authorization: `Bearer ${(await app.person()).user}`,
  }));
  expect(permittedToBoth.sort()).toEqual([...new Set([...userOnly, ...operationsForKeys])].sort());
});

test('a 403 for a publishable key names the token that the operation requires', async () => {
  const message = async (method: string, path: string) => (await app.rest(method, path, { platform: key })).body.Message;
  expect({
    platformToken: await message('POST', '/sso_platform/token'),
    lookupPlatforms: await message('GET', '/v1/data/lookup_platforms'),
    pendingSponsors: await message('GET', '/v1/admin/pending_sponsors'),
    favorites: await message('GET', '/v1/users/person-1/favorites'),
  }).toEqual({
    platformToken: 'a publishable key is not accepted: this route requires a platform token in the header PB-API-TOKEN',
    lookupPlatforms: 'a publishable key is not accepted: this route requires a token in the header PB-API-TOKEN or PB-USER-TOKEN',
    pendingSponsors: 'a publishable key is not accepted: this route requires a platform token in the header PB-API-TOKEN',
    favorites: 'a publishable key is not accepted: this route requires a token in the header PB-API-TOKEN or PB-USER-TOKEN',
  });
});

test('routes for users return 401 to a publishable key without a user token', async () => {
  const routes = entriesOf(legacyRoutes).filter(({ alternatives }) => alternatives.every(({ auth }) => auth === 'user'));
  const answers = await Promise.all(
    routes.map(async ({ method, path }) => {
      const { status, body } = await app.rest(method, path.replaceAll(/[{}]/g, ''), { platform: key });
      return { operation: `${method} ${path}`, status, message: body.Message };
    }),
  );
  const refused = { status: 401, message: 'expected a user token in the header PB-USER-TOKEN' };
  expect(answers).toEqual([
    { operation: 'POST /v1/categories', ...refused },
    { operation: 'PUT /v1/categories/{id}', ...refused },
    { operation: 'DELETE /v1/categories/{id}', ...refused },
    { operation: 'GET /v1/data/categories/{id}', ...refused },
  ]);
});

test('a user registers and logs in through a publishable key, and the address headers of the client are ignored', async () => {
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
    return { status: response.status, body: await response.json() };
  };
  const credentials = { email: 'ana@example.com', password: 'correct horse' };
  const registration = await send('/v1/pub/register_users', { ...credentials, firstName: 'Ana' });
  await app.rest('GET', `/v1/pub/validate_email/${await lastValue(app, credentials.email)}`);
  const login = await send('/v1/sso/login', credentials);
  const { uuid, email } = login.body.result;
  const [user] = await app.sql.rows(
    'select u.platform_id, t.device from app_user u join user_token t on t.user_id = u.id where u.id = $1',
    [uuid],
  );
  expect({ registration, loginStatus: login.status, email, user }).toEqual({
    registration: { status: 200, body: { response: { mailSent: true } } },
    loginStatus: 200,
    email: 'ana@example.com',
    user: { platform_id: 'test-platform', device: 'App, 127.0.0.1' },
  });
});
