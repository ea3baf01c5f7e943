import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp } from '../support/app.js';
import { lastLink, lastValue, mailbox } from '../support/mailbox.js';
import { secondProcess } from '../support/second-process.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(`update platform set allowed_origins = '{https://play.example}'`);
});
afterAll(() => app.close());

const post = async (path: string, payload: object, tokens = app.platform) => {
  const { status, body } = await app.rest('POST', path, tokens, { payload });
  return [status, body.Message ?? body];
};
const get = async (path: string) => {
  const { status, body } = await app.rest('GET', path);
  return [status, body.Message ?? body];
};

describe('links to the page of a platform', () => {
  test('end with the value, which the platform hands back', async () => {
    const custom_url = 'https://play.example/confirm/';
    await post('/v1/pub/register_users', { email: 'ana@example.com', password: 'correct horse', custom_url });
    const link = await lastLink(app, 'ana@example.com');
    expect([link.startsWith(custom_url), await get(`/v1/pub/validate_email/${link.slice(custom_url.length)}`)]).toEqual([
      true,
      [200, {}],
    ]);
  });

  test('of a registration sent again replace nothing: either works', async () => {
    await post('/v1/pub/register_users', { email: 'bo@example.com', password: 'correct horse' });
    const first = await lastValue(app, 'bo@example.com');
    await post('/v1/pub/resend_validation_email', { email: 'bo@example.com', custom_url: '' });
    const second = await lastValue(app, 'bo@example.com');
    expect([
      first === second,
      await get(`/v1/pub/validate_email/${first}`),
      await get(`/v1/pub/validate_email/${second}`),
    ]).toEqual([false, [200, {}], [400, 'the link or code is wrong or was used already']]);
  });

  test('that expired are 410', async () => {
    await app.person({ email: 'late@example.com' });
    await post('/v1/pub/request_forgot_password', { email: 'late@example.com', custom_url: '', request_type: 'email' });
    await post('/v1/pub/register_users', { email: 'late-too@example.com', password: 'correct horse' });
    const [reset, verify] = [await lastValue(app, 'late@example.com'), await lastValue(app, 'late-too@example.com')];
    await app.sql.rows('update one_time_value set expires_at = now()');
    const answers = [
      await get(`/v1/sso/validate_url/${reset}`),
      await post('/v1/pub/forgot_password', { url: reset, password: 'a new password' }),
      await get(`/v1/pub/validate_email/${verify}`),
    ];
    expect(answers).toEqual(Array(3).fill([410, 'the link or code has expired']));
  });
});

test('a code from a text message is validated with the address, then sets the password', async () => {
  await app.person({ email: 'sms@example.com', phone: '+15125550123' });
  await post('/v1/pub/request_forgot_password', { email: 'sms@example.com', custom_url: '', request_type: 'SMS' });
  const url = /\d{6}/.exec((await mailbox(app, '+15125550123')).at(-1)?.body ?? '')?.[0] ?? '';
  expect([
    await get(`/v1/sso/validate_url/${url}?email=sms@example.com`),
    await get(`/v1/sso/validate_url/${url}?email=other@example.com`),
    await post('/v1/pub/forgot_password', { url, password: 'a new password', email: 'SMS@example.com' }),
    (await post('/v1/sso/login', { email: 'sms@example.com', password: 'a new password' }))[0],
  ]).toEqual([[200, {}], [400, 'the link or code is wrong or was used already'], [200, {}], 200]);
});

test('a log-in keeps what its headers tell of the device', async () => {
  const { id } = await app.person({ email: 'device@example.com' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('correct horse')]);
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

test.each(['phoneCountryId', 'country_id', 'state_id', 'zip'])('%s of a registration is a number', async (field) => {
  const register = (value: unknown) =>
    post('/v1/pub/register_users', { email: `${field}@example.com`, password: 'correct horse', [field]: value });
  expect([await register('K1A 0B6'), await register(true), await register(840), await register('02134')]).toEqual([
    ...Array(2).fill([400, `payload.${field}: expected a number`]),
    ...Array(2).fill([200, { response: { mailSent: true } }]),
  ]);
});

test('fieldsToOmit leaves in what a registration cannot do without', async () => {
  const register = (payload: object) => post('/v1/pub/register_users?fieldsToOmit=email,password,zip', payload);
  expect([
    await register({ email: 'omit@example.com' }),
    await register({ email: 'omit@example.com', password: 'correct horse' }),
  ]).toEqual([
    [400, 'payload.password: expected a value'],
    [200, { response: { mailSent: true } }],
  ]);
});

test('a postal code keeps its leading zero', async () => {
  await post('/v1/pub/register_users', { email: 'boston@example.com', password: 'correct horse', zip: '02134' });
  expect(await app.sql.rows(`select zip from app_user where email = 'boston@example.com'`)).toEqual([{ zip: '02134' }]);
});

test('a user token logs itself out without naming itself', async () => {
  const { user } = await app.person();
  const answers = [
    await post('/v1/sso/logout', {}, { ...app.platform, user } as typeof app.platform),
    (await app.rest('GET', '/v1/sso/validate_token', { user })).status,
  ];
  expect(answers).toEqual([[200, { result: { expiration: expect.any(String) } }], 401]);
});

test('the lookup of addresses is 429 with Retry-After after sixty in a minute', async () => {
  const { user } = await app.person();
  const answers = await Promise.all(
    Array.from({ length: 61 }, () => app.rest('GET', '/v1/data/user-email-lookup/x@example.com', { user })),
  );
  const [limited] = answers.filter(({ status }) => status !== 204);
  expect([limited?.status, Number(limited?.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

describe('no secret', () => {
  const password = 'a-secret-password';

  test('is repeated in an error of GraphQL', async () => {
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

  test('is written to the log, whatever goes wrong', async () => {
    const lines: string[] = [];
    const noisy = await secondProcess(app, pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }));
    const token = 'a-secret-token-of-forty-three-characters-xx';
    const send = (method: string, path: string, body?: object) =>
      fetch(noisy.origin + path, {
        method,
        headers: { 'PB-API-TOKEN': app.platform.platform, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    await app.sql.rows('alter table one_time_value rename to one_time_value_away');
    const statuses = [
      await send('GET', `/v1/sso/validate_url/${token}`),
      await send('GET', `/v1/pub/validate_email/${token}`),
      await send('POST', '/v1/pub/forgot_password', { payload: { url: token, password } }),
      await send('POST', '/v1/pub/register_users', { payload: { email: 'secret@example.com', password } }),
      await send('POST', '/v1/sso/login', { payload: { email: 'secret@example.com', password } }),
      await fetch(`${noisy.origin}/reset/${token}`, { method: 'POST', body: new URLSearchParams({ password }) }),
    ].map(({ status }) => status);
    await app.sql.rows('alter table one_time_value_away rename to one_time_value');
    await noisy.close();
    const log = lines.join('');
    const secrets = [token, password, app.platform.platform, 'secret@example.com'].filter((secret) => log.includes(secret));
    expect([statuses, log.includes('unexpected error'), secrets]).toEqual([[500, 500, 500, 500, 412, 500], true, []]);
  });
});

test('a HEAD of a validation link is refused, and leaves the link as it was', async () => {
  const head = await fetch(`${app.origin}/v1/pub/validate_email/anything`, { method: 'HEAD' });
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
});
