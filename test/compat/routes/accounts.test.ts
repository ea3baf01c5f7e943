import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { lastLink, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';
import { secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(`update platform set allowed_origins = '{https://play.example}'`);
});
afterAll(() => app.close());

const post = async (path: string, payload: object, tokens: Tokens = app.platform) => {
  const { status, body } = await app.rest('POST', path, tokens, { payload });
  return { status, body: body.Message ?? body };
};
const get = async (path: string) => {
  const { status, body } = await app.rest('GET', path);
  return { status, body: body.Message ?? body };
};

describe.each(['null', 'Undefined', ' ', '', null])('the token %o in a payload counts as absent', (token) => {
  test('a logout ends the token in the header', async () => {
    const { user } = await app.person();
    const logout = await post('/v1/sso/logout', { token }, { user });
    const { status } = await app.rest('GET', '/v1/sso/validate_token', { user });
    expect({ logout: logout.status, afterwards: status }).toEqual({ logout: 200, afterwards: 401 });
  });

  test('a refresh renews the token in the header', async () => {
    const { id, user } = await app.person();
    const { status, body } = await post('/v1/sso/refresh_token', { token }, { user });
    expect({ status, uuid: body.result?.uuid }).toEqual({ status: 200, uuid: id });
  });

  test('a revocation is rejected', async () => {
    expect(await post('/sso_platform/revoke_token', { token })).toEqual({
      status: 400,
      body: 'payload.token: expected a value',
    });
  });
});

test('a payload of null counts as empty if no payload is required', async () => {
  const { user } = await app.person();
  const { status } = await app.rest('POST', '/v1/sso/logout', { user }, { payload: null });
  expect(status).toBe(200);
});

describe('a link to a page of the platform', () => {
  test('ends with the value that validates the email', async () => {
    const custom_url = 'https://play.example/confirm/';
    await post('/v1/pub/register_users', { email: 'ana@example.com', password: 'correct horse', custom_url });
    const link = await lastLink(app, 'ana@example.com');
    expect(link.startsWith(custom_url)).toBe(true);
    expect(await get(`/v1/pub/validate_email/${link.slice(custom_url.length)}`)).toEqual({ status: 200, body: {} });
  });

  test('that is sent again does not invalidate the first link before one of them is used', async () => {
    await post('/v1/pub/register_users', { email: 'bo@example.com', password: 'correct horse' });
    const first = await lastValue(app, 'bo@example.com');
    await post('/v1/pub/resend_validation_email', { email: 'bo@example.com', custom_url: '' });
    const second = await lastValue(app, 'bo@example.com');
    expect(second).not.toBe(first);
    expect({
      first: await get(`/v1/pub/validate_email/${first}`),
      second: await get(`/v1/pub/validate_email/${second}`),
    }).toEqual({
      first: { status: 200, body: {} },
      second: { status: 400, body: 'the link or code is wrong or was used already' },
    });
  });

  test('that has expired returns 410', async () => {
    await app.person({ email: 'late@example.com' });
    await post('/v1/pub/request_forgot_password', { email: 'late@example.com', custom_url: '', request_type: 'email' });
    await post('/v1/pub/register_users', { email: 'late-too@example.com', password: 'correct horse' });
    const [reset, verify] = [await lastValue(app, 'late@example.com'), await lastValue(app, 'late-too@example.com')];
    await app.sql.rows('update one_time_value set expires_at = now()');
    const expired = { status: 410, body: 'the link or code has expired' };
    expect({
      validateUrl: await get(`/v1/sso/validate_url/${reset}`),
      forgotPassword: await post('/v1/pub/forgot_password', { url: reset, password: 'a new password' }),
      validateEmail: await get(`/v1/pub/validate_email/${verify}`),
    }).toEqual({ validateUrl: expired, forgotPassword: expired, validateEmail: expired });
  });
});

test('a code from a text message is validated with the email of its user, then sets the password', async () => {
  await app.person({ email: 'sms@example.com', phone: '+15125550123' });
  await post('/v1/pub/request_forgot_password', { email: 'sms@example.com', custom_url: '', request_type: 'SMS' });
  const url = /\d{6}/.exec((await mailbox(app, '+15125550123')).at(-1)?.body ?? '')?.[0] ?? '';
  expect({
    validation: await get(`/v1/sso/validate_url/${url}?email=sms@example.com`),
    validationWithOtherEmail: await get(`/v1/sso/validate_url/${url}?email=other@example.com`),
    reset: await post('/v1/pub/forgot_password', { url, password: 'a new password', email: 'SMS@example.com' }),
    loginStatus: (await post('/v1/sso/login', { email: 'sms@example.com', password: 'a new password' })).status,
  }).toEqual({
    validation: { status: 200, body: {} },
    validationWithOtherEmail: { status: 400, body: 'the link or code is wrong or was used already' },
    reset: { status: 200, body: {} },
    loginStatus: 200,
  });
});

test('a login stores the device that its headers describe', async () => {
  const { id } = await app.person({ email: 'device@example.com' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
  const headers = {
    Browser: 'Chrome',
    BrowserVersion: '140',
    IpAddress: '203.0.113.1',
    IsMobile: 'true',
    ServerMachineName: 'pixel',
  };
  await fetch(`${app.origin}/v1/sso/login`, {
    method: 'POST',
    headers: { ...headers, 'PB-API-TOKEN': app.platform.platform, 'content-type': 'application/json' },
    body: JSON.stringify({ payload: { email: 'device@example.com', password: 'correct horse' } }),
  });
  const [row] = await app.sql.rows('select device from user_token where user_id = $1 and device is not null', [id]);
  expect(row).toEqual({ device: 'Chrome, 140, mobile, 203.0.113.1, pixel' });
});

test.each(['phoneCountryId', 'country_id', 'state_id', 'zip'])(
  'the registration field %s accepts numbers only',
  async (field) => {
    const register = (value: unknown) =>
      post('/v1/pub/register_users', { email: `${field}@example.com`, password: 'correct horse', [field]: value });
    const rejected = { status: 400, body: `payload.${field}: expected a number` };
    const accepted = { status: 200, body: { response: { mailSent: true } } };
    expect({
      letters: await register('K1A 0B6'),
      boolean: await register(true),
      number: await register(840),
      digits: await register('02134'),
    }).toEqual({ letters: rejected, boolean: rejected, number: accepted, digits: accepted });
  },
);

test('fieldsToOmit does not omit the required fields of a registration', async () => {
  const register = (payload: object) => post('/v1/pub/register_users?fieldsToOmit=email,password,zip', payload);
  expect({
    withoutPassword: await register({ email: 'omit@example.com' }),
    withPassword: await register({ email: 'omit@example.com', password: 'correct horse' }),
  }).toEqual({
    withoutPassword: { status: 400, body: 'payload.password: expected a value' },
    withPassword: { status: 200, body: { response: { mailSent: true } } },
  });
});

test('a registration stores the leading zero of a postal code', async () => {
  await post('/v1/pub/register_users', { email: 'boston@example.com', password: 'correct horse', zip: '02134' });
  expect(await app.sql.rows(`select zip from app_user where email = 'boston@example.com'`)).toEqual([{ zip: '02134' }]);
});

test('a logout without a payload ends the user token in its header', async () => {
  const { user } = await app.person();
  const logout = await post('/v1/sso/logout', {}, { ...app.platform, user } as typeof app.platform);
  const { status: statusAfterLogout } = await app.rest('GET', '/v1/sso/validate_token', { user });
  expect({ logout, statusAfterLogout }).toEqual({
    logout: { status: 200, body: { result: { expiration: expect.any(String) } } },
    statusAfterLogout: 401,
  });
});

test('an invalid user token in the header does not block routes that take a token in the payload', async () => {
  const [first, second, third] = await Promise.all([app.person(), app.person(), app.person()]);
  const tokens = { ...app.platform, user: 'dead' };
  const status = async (path: string, token?: string) => (await post(path, { token }, tokens)).status;
  expect({
    logout: await status('/v1/sso/logout', first.user),
    logoutOfHeader: await status('/v1/sso/logout'),
    refresh: await status('/v1/sso/refresh_token', second.user),
    refreshOfHeader: await status('/v1/sso/refresh_token'),
    revoke: await status('/sso_platform/revoke_token', third.user),
  }).toEqual({ logout: 200, logoutOfHeader: 401, refresh: 200, refreshOfHeader: 401, revoke: 200 });
});

test('a user token does not lower the password reset limit of a platform', async () => {
  const { user } = await app.person({ email: 'resets@example.com' });
  const tokens = { ...app.platform, user };
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++)
    statuses.push(
      (await post('/v1/pub/request_forgot_password', { email: 'resets@example.com', request_type: 'email' }, tokens)).status,
    );
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
});

test('the 61st email lookup of a user within a minute returns 429 and Retry-After', async () => {
  const { user } = await app.person();
  const answers = await Promise.all(
    Array.from({ length: 61 }, () => app.rest('GET', '/v1/data/user-email-lookup/x@example.com', { user })),
  );
  const [limited] = answers.filter(({ status }) => status !== 204);
  expect(limited?.status).toBe(429);
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('a secret', () => {
  const password = 'a-secret-password';

  test('is absent from GraphQL errors', async () => {
    const errors = [
      await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input: { password } }),
      await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', {
        input: { email: 'x', password: [password] },
      }),
      await app.graphql('mutation ($token: String!) { revokeToken(token: $token) { endedAt } }', { token: { password } }),
      await app.graphql(
        'mutation ($password: String!) { resetPassword(value: "x", password: $password) { id } }',
        { password: 12_345_678 },
        {},
      ),
    ].flatMap((body) => body.errors);
    expect(errors.filter((line) => line.includes(password) || line.includes('12345678'))).toEqual([]);
  });

  test('is absent from the log of failed requests', async () => {
    const lines: string[] = [];
    const logging = await secondProcess(app, pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }));
    const token = 'a-secret-token-of-forty-three-characters-xx';
    const send = (method: string, path: string, body?: object) =>
      fetch(logging.origin + path, {
        method,
        headers: { 'PB-API-TOKEN': app.platform.platform, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    // The missing table causes an unexpected error in these requests.
    await app.sql.rows('alter table one_time_value rename to one_time_value_away');
    const statuses = {
      validateUrl: (await send('GET', `/v1/sso/validate_url/${token}`)).status,
      validateEmail: (await send('GET', `/v1/pub/validate_email/${token}`)).status,
      forgotPassword: (await send('POST', '/v1/pub/forgot_password', { payload: { url: token, password } })).status,
      register: (await send('POST', '/v1/pub/register_users', { payload: { email: 'secret@example.com', password } })).status,
      login: (await send('POST', '/v1/sso/login', { payload: { email: 'secret@example.com', password } })).status,
      resetPage: (await fetch(`${logging.origin}/reset/${token}`, { method: 'POST', body: new URLSearchParams({ password }) }))
        .status,
    };
    await app.sql.rows('alter table one_time_value_away rename to one_time_value');
    await logging.close();
    const log = lines.join('');
    const secrets = [token, password, app.platform.platform, 'secret@example.com'];
    const loggedSecrets = secrets.filter((secret) => log.includes(secret));
    expect({ statuses, logsUnexpectedError: log.includes('unexpected error'), loggedSecrets }).toEqual({
      statuses: {
        validateUrl: 500,
        validateEmail: 500,
        forgotPassword: 500,
        register: 500,
        login: 412,
        resetPage: 500,
      },
      logsUnexpectedError: true,
      loggedSecrets: [],
    });
  });
});

test.for(['platform', 'user'] as const)('an upsert of a user by the %s changes only the fields that are sent', async (sender) => {
  const { id, user } = await app.person({ email: `partial-${sender}@example.com`, phone: '5125550100' });
  const tokens = sender === 'user' ? { user } : app.platform;
  const { body } = await post(
    '/v1/users/upsert',
    { uuid: id, gender: 'F', dob: '1990-05-06T00:00:00Z', countryId: '840' },
    tokens,
  );
  const { firstName, lastName, phone, gender, countryId } = body.result;
  expect({ firstName, lastName, phone, gender, countryId }).toEqual({
    firstName: 'Ana',
    lastName: 'Lopez',
    phone: '5125550100',
    gender: 'F',
    countryId: '840',
  });
});

test('a login to an account that was never claimed returns 412 to a platform and 401 to a key', async () => {
  await post('/v1/users/upsert', { uuid: 'unclaimed', email: 'unclaimed@example.com' });
  await post('/v1/pub/register_users', { email: 'waiting@example.com', password: 'correct horse' });
  const { key } = await newKey(app);
  const login = async (email: string, tokens: Tokens = app.platform) =>
    (await post('/v1/sso/login', { email, password: 'wrong' }, tokens)).status;
  expect({
    unclaimed: await login('unclaimed@example.com'),
    registrationInProgress: await login('waiting@example.com'),
    unknown: await login('unknown@example.com'),
    unclaimedByKey: await login('unclaimed@example.com', { platform: key }),
  }).toEqual({ unclaimed: 412, registrationInProgress: 401, unknown: 401, unclaimedByKey: 401 });
});

test('a token that a platform creates keeps its expiration, up to 366 days ahead', async () => {
  const { id } = await app.person();
  const day = 86_400_000;
  const now = Date.now();
  const place = async (token: string, expiration: string | null) => {
    const { body } = await post('/sso_platform/token', { uuid: id, token, expiration });
    const { expiration: stored } = body.result;
    const rows = await app.sql.rows('select expires_at from user_token where token_hash = $1', [hashOf(token)]);
    return { stored, isInDatabase: Date.parse(String(rows[0]?.expires_at)) === Date.parse(stored) };
  };
  const daysOf = ({ stored, isInDatabase }: Awaited<ReturnType<typeof place>>) => ({
    days: Math.round((Date.parse(stored) - now) / day),
    isInDatabase,
  });
  const elevenMonths = new Date(now + 335 * day).toISOString();
  expect({
    elevenMonths: (await place('a-token-of-eleven-months', elevenMonths)).stored,
    tenYears: daysOf(await place('a-token-of-several-years', new Date(now + 3_650 * day).toISOString())),
    absent: daysOf(await place('a-token-without-expiration', null)),
  }).toEqual({
    elevenMonths: elevenMonths.replace(/\.?0*Z$/, 'Z'),
    tenYears: { days: 366, isInDatabase: true },
    absent: { days: 30, isInDatabase: true },
  });
});

test('rejects a HEAD request for a validation link', async () => {
  const head = await fetch(`${app.origin}/v1/pub/validate_email/anything`, { method: 'HEAD' });
  expect({ status: head.status, allow: head.headers.get('allow') }).toEqual({ status: 405, allow: 'GET' });
});
