import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { lastLink, lastValue, mailbox } from '../support/mailbox.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com', TRUST_PROXY: '1' });
  await app.sql.rows(`update platform set allowed_origins = '{https://play.example}'`);
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

/** A mutation by an app that sends a key, from a network address. */
async function send(query: string, variables: object, { from = '198.51.100.1', by = key } = {}) {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': by, 'X-Forwarded-For': from },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  return errors ? `${errors[0].extensions.code}: ${errors[0].message}` : data;
}

const login = (input: object, place = {}) =>
  send('mutation ($input: LoginInput!) { login(input: $input) { token user { id email roles { title } } } }', { input }, place);
const register = (email: string, more: object = {}, place = {}) =>
  send(
    'mutation ($input: RegisterInput!) { register(input: $input) { mailSent } }',
    { input: { email, password: 'correct horse', ...more } },
    place,
  );
const resend = (email: string, place = {}) =>
  send('mutation ($email: String!) { resendVerification(email: $email) { mailSent } }', { email }, place);
const reset = (email: string, place = {}, customUrl: string | null = null) =>
  send(
    'mutation ($email: String!, $customUrl: String) { requestPasswordReset(email: $email, customUrl: $customUrl) { channel } }',
    { email, customUrl },
    place,
  );
const contact = (place = {}) => send('mutation { contact(input: { details: "Hello" }) { mailSent } }', {}, place);

async function member(email: string): Promise<string> {
  const { id } = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('correct horse')]);
  return id;
}

const limited = 'RATE_LIMITED: too many tries: wait before the next one';
const incorrect = 'INVALID_CREDENTIALS: incorrect username or password';

describe('with a publishable key', () => {
  test('a person registers with its platform, opens the link, and signs in', async () => {
    const customUrl = 'https://play.example/confirm?value=';
    const registered = await register('ana@example.com', { customUrl });
    const link = await lastLink(app, 'ana@example.com');
    await send('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value: link.slice(customUrl.length) });
    const { login: given } = await login({ email: 'Ana@example.com', password: 'correct horse' });
    const [row] = await app.sql.rows('select platform_id from app_user where id = $1', [given.user.id]);
    const viewer = await app.graphql('{ viewer { email } }', {}, { platform: key, user: given.token });
    expect([registered, link.startsWith(customUrl), given.user, row, viewer]).toEqual([
      { register: { mailSent: true } },
      true,
      { id: given.user.id, email: 'ana@example.com', roles: [] },
      { platform_id: 'test-platform' },
      { viewer: { email: 'ana@example.com' } },
    ]);
  });

  test('a link is sent again, a password is forgotten, and links lead to pages of the platform only', async () => {
    await register('bo@example.com');
    const first = await lastValue(app, 'bo@example.com');
    const resent = await resend('bo@example.com');
    const second = await lastValue(app, 'bo@example.com');
    const customUrl = 'https://play.example/new-password/';
    const forgotten = await reset('bo@example.com', {}, customUrl);
    expect([
      resent,
      first === second,
      forgotten,
      (await lastLink(app, 'bo@example.com')).startsWith(customUrl),
      await reset('bo@example.com', {}, 'https://elsewhere.example/'),
    ]).toEqual([
      { resendVerification: { mailSent: true } },
      false,
      { requestPasswordReset: { channel: 'EMAIL' } },
      true,
      'BAD_INPUT: customUrl: expected a URL of an origin that is allowed for the platform',
    ]);
  });

  test('a message goes to the operators in the name of its platform', async () => {
    const answer = await contact();
    const { text } = (await mailbox(app, 'desk@example.com')).at(-1) ?? {};
    expect([answer, text]).toEqual([{ contact: { mailSent: true } }, 'Hello\n\nPlatform: Test Platform\n']);
  });

  test('a device is known by the address of its connection, whatever it says of itself', async () => {
    const id = await member('device@example.com');
    await login({ email: 'device@example.com', password: 'correct horse', browser: 'Firefox', ipAddress: '203.0.113.9' });
    const rows = await app.sql.rows('select device from user_token where user_id = $1 and device is not null', [id]);
    expect(rows).toEqual([{ device: 'Firefox, 198.51.100.1' }]);
  });

  test('nobody acts as a platform: no token is placed, taken or ended, no record is written', async () => {
    const answers = [
      'mutation { placeToken(input: { token: "a-token-of-a-page-that-it-made-up", userId: "person-1" }) { token } }',
      'mutation { validateOneTimeToken(token: "x") { token } }',
      'mutation { revokeToken(token: "x") { endedAt } }',
      'mutation { logout { expiresAt } }',
      'mutation { refreshToken { token } }',
      'mutation { upsertUser(input: { firstName: "Eve" }) { id } }',
      'mutation { upsertTournament(input: { title: "Mine" }) { id } }',
      'mutation { upsertPayment(input: { amount: "1" }) { id } }',
      '{ emailLookup(email: "ana@example.com") { isValid } }',
      '{ userByEmail(email: "ana@example.com") { id } }',
      '{ users { totalCount } }',
    ].map((query) => send(query, {}));
    expect((await Promise.all(answers)).map((answer) => String(answer).split(' ')[0])).toEqual(Array(11).fill('FORBIDDEN:'));
  });
});

describe('of one key and network address', () => {
  test('fifty wrong passwords are enough, whatever accounts and devices they name', async () => {
    const from = '198.51.100.50';
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        login({ email: `guess-${n}@example.com`, password: 'wrong', ipAddress: `203.0.113.${n}` }, { from }),
      ),
    );
    const id = await member('neighbour@example.com');
    const right = { email: 'neighbour@example.com', password: 'correct horse' };
    const elsewhere = await login(right, { from: '198.51.100.51' });
    const otherKey = await login(right, { from, by: (await newKey(app)).key });
    const platform = await login(right, { from, by: app.platform.platform });
    expect([
      new Set(tries),
      await login({ ...right, ipAddress: '203.0.113.200' }, { from }),
      [elsewhere, otherKey, platform].map(({ login: given }) => given.user.id),
    ]).toEqual([new Set([incorrect]), limited, [id, id, id]]);
  });

  test('sixty messages an hour are enough, to whomever they go; a platform has no such limit', async () => {
    const from = '198.51.100.60';
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => reset(`many-${n}@example.com`, { from })));
    const more = [
      await reset('one-more@example.com', { from }),
      await register('one-more@example.com', {}, { from }),
      await resend('one-more@example.com', { from }),
      await reset('one-more@example.com', { from: '198.51.100.61' }),
      await reset('one-more@example.com', { from, by: app.platform.platform }),
    ];
    expect([new Set(answers.map((answer) => JSON.stringify(answer))), more]).toEqual([
      new Set(['{"requestPasswordReset":{"channel":"EMAIL"}}']),
      [limited, limited, limited, { requestPasswordReset: { channel: 'EMAIL' } }, { requestPasswordReset: { channel: 'EMAIL' } }],
    ]);
  });

  test('sixty messages to the operators are enough', async () => {
    const from = '198.51.100.70';
    const answers = await Promise.all(Array.from({ length: 61 }, () => contact({ from })));
    expect([answers.filter((answer) => answer === limited).length, await contact({ from: '198.51.100.71' })]).toEqual([
      1,
      { contact: { mailSent: true } },
    ]);
  });
});
