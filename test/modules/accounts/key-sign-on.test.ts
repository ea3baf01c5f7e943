import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastLink, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com', TRUST_PROXY: '1' });
  await app.sql.rows(`update platform set allowed_origins = '{https://play.example}'`);
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

interface Sender {
  /** The network address of the connection. */
  address?: string;
  /** A publishable key or a platform token. */
  token?: string;
}

/** Sends a request as an app. Returns the data or the first error. */
async function send(query: string, variables: object, { address = '198.51.100.1', token = key }: Sender = {}) {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': token, 'X-Forwarded-For': address },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  return errors ? `${errors[0].extensions.code}: ${errors[0].message}` : data;
}

const login = (input: object, sender?: Sender) =>
  send('mutation ($input: LoginInput!) { login(input: $input) { token user { id email roles { title } } } }', { input }, sender);
const register = (email: string, more: object = {}, sender?: Sender) =>
  send(
    'mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }',
    { input: { email, password: 'correct horse', ...more } },
    sender,
  );
const resend = (email: string, sender?: Sender) =>
  send('mutation ($email: String!) { resendVerification(email: $email) { isMailSent } }', { email }, sender);
const requestReset = (email: string, sender?: Sender, customUrl: string | null = null) =>
  send(
    'mutation ($email: String!, $customUrl: String) { requestPasswordReset(email: $email, customUrl: $customUrl) { channel } }',
    { email, customUrl },
    sender,
  );
const contact = (sender?: Sender) => send('mutation { contact(input: { details: "Hello" }) { isMailSent } }', {}, sender);

/** Creates a verified user who has a password. Returns the user ID. */
async function createMember(email: string): Promise<string> {
  const { id } = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
  return id;
}

const limited = 'RATE_LIMITED: too many tries: wait before the next one';
const incorrect = 'INVALID_CREDENTIALS: incorrect username or password';
const resetRequested = { requestPasswordReset: { channel: 'EMAIL' } };

describe('with a publishable key', () => {
  test('a person registers with its platform, opens the link, and signs in', async () => {
    const customUrl = 'https://play.example/confirm?value=';
    const registered = await register('ana@example.com', { customUrl });
    const link = await lastLink(app, 'ana@example.com');
    await send('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value: link.slice(customUrl.length) });
    const {
      login: { user, token },
    } = await login({ email: 'Ana@example.com', password: 'correct horse' });
    const [row] = await app.sql.rows('select platform_id from app_user where id = $1', [user.id]);
    const { viewer } = await app.graphql('{ viewer { email } }', {}, { platform: key, user: token });
    expect({ registered, link, user, row, viewer }).toEqual({
      registered: { register: { isMailSent: true } },
      link: expect.stringMatching(/^https:\/\/play\.example\/confirm\?value=/),
      user: { id: user.id, email: 'ana@example.com', roles: [] },
      row: { platform_id: 'test-platform' },
      viewer: { email: 'ana@example.com' },
    });
  });

  test('a verification link is sent again with a new value', async () => {
    await register('bo@example.com');
    const first = await lastValue(app, 'bo@example.com');
    const resent = await resend('bo@example.com');
    const second = await lastValue(app, 'bo@example.com');
    expect({ resent, isSameValue: first === second }).toEqual({
      resent: { resendVerification: { isMailSent: true } },
      isSameValue: false,
    });
  });

  test('a password reset link leads only to pages of the platform', async () => {
    await register('cy@example.com');
    const requested = await requestReset('cy@example.com', {}, 'https://play.example/new-password/');
    expect({
      requested,
      link: await lastLink(app, 'cy@example.com'),
      requestForAnotherOrigin: await requestReset('cy@example.com', {}, 'https://elsewhere.example/'),
    }).toEqual({
      requested: resetRequested,
      link: expect.stringMatching(/^https:\/\/play\.example\/new-password\//),
      requestForAnotherOrigin: 'BAD_INPUT: customUrl: expected a URL of an origin that is allowed for the platform',
    });
  });

  test('a contact message names the platform of the key', async () => {
    const answer = await contact();
    const { text } = (await mailbox(app, 'desk@example.com')).at(-1) ?? {};
    expect({ answer, text }).toEqual({
      answer: { contact: { isMailSent: true } },
      text: 'Hello\n\nPlatform: Test Platform\n',
    });
  });

  test('the device of a token has the address of the connection, not the address in the input', async () => {
    const id = await createMember('device@example.com');
    await login({ email: 'device@example.com', password: 'correct horse', browser: 'Firefox', ipAddress: '203.0.113.9' });
    const rows = await app.sql.rows('select device from user_token where user_id = $1 and device is not null', [id]);
    expect(rows).toEqual([{ device: 'Firefox, 198.51.100.1' }]);
  });

  test.each([
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
  ])('%s is forbidden', async (query) => {
    expect(await send(query, {})).toMatch(
      /^(FORBIDDEN: Not allowed: requires a platform token$|UNAUTHENTICATED: Authentication required: send .*PB-USER-TOKEN)/,
    );
  });
});

describe('for one key and network address', () => {
  test('fifty wrong passwords are allowed, across all accounts and devices', async () => {
    const address = '198.51.100.50';
    const guesses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        login({ email: `guess-${n}@example.com`, password: 'wrong', ipAddress: `203.0.113.${n}` }, { address }),
      ),
    );
    const id = await createMember('neighbour@example.com');
    const credentials = { email: 'neighbour@example.com', password: 'correct horse' };
    const userIdOf = (answer: Awaited<ReturnType<typeof login>>) => answer.login?.user.id ?? answer;
    expect({
      guesses: new Set(guesses),
      fromAnotherAddress: userIdOf(await login(credentials, { address: '198.51.100.51' })),
      withAnotherKey: userIdOf(await login(credentials, { address, token: (await newKey(app)).key })),
      asPlatform: userIdOf(await login(credentials, { address, token: app.platform.platform })),
      fromAnotherDevice: await login({ ...credentials, ipAddress: '203.0.113.200' }, { address }),
    }).toEqual({
      guesses: new Set([incorrect]),
      fromAnotherAddress: id,
      withAnotherKey: id,
      asPlatform: id,
      fromAnotherDevice: limited,
    });
  });

  test('sixty messages an hour are allowed, across all recipients; a platform has no such limit', async () => {
    const address = '198.51.100.60';
    const first60 = await Promise.all(Array.from({ length: 60 }, (_, n) => requestReset(`many-${n}@example.com`, { address })));
    expect({
      first60: new Set(first60.map((answer) => JSON.stringify(answer))),
      reset: await requestReset('one-more@example.com', { address }),
      registration: await register('one-more@example.com', {}, { address }),
      verification: await resend('one-more@example.com', { address }),
      fromAnotherAddress: await requestReset('one-more@example.com', { address: '198.51.100.61' }),
      asPlatform: await requestReset('one-more@example.com', { address, token: app.platform.platform }),
    }).toEqual({
      first60: new Set(['{"requestPasswordReset":{"channel":"EMAIL"}}']),
      reset: limited,
      registration: limited,
      verification: limited,
      fromAnotherAddress: resetRequested,
      asPlatform: resetRequested,
    });
  });

  test('sixty contact messages are allowed', async () => {
    const address = '198.51.100.70';
    const answers = await Promise.all(Array.from({ length: 61 }, () => contact({ address })));
    expect({
      limitedCount: answers.filter((answer) => answer === limited).length,
      fromAnotherAddress: await contact({ address: '198.51.100.71' }),
    }).toEqual({ limitedCount: 1, fromAnotherAddress: { contact: { isMailSent: true } } });
  });
});
