import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
let secondApp: Process;
beforeAll(async () => {
  app = await startApp();
  secondApp = await secondProcess(app);
});
afterAll(async () => {
  await secondApp.close();
  await app.close();
});

/** Creates a verified user with a password. Returns the ID. */
async function createMember(email: string): Promise<string> {
  const { id } = await app.person({ email });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
  return id;
}

const loginText = 'mutation ($input: LoginInput!) { login(input: $input) { token expiresAt user { id email isSuperAdmin } } }';
const login = (email: string, password = 'correct horse', more: object = {}) =>
  app.graphql(loginText, { input: { email, password, ...more } });
const tokenOf = async (email: string): Promise<string> => (await login(email)).login.token;
/** Returns the ID of the user to whom the token belongs, or the errors. */
const viewer = async (user: string) => {
  const body = await app.graphql('{ viewer { id } }', {}, { user });
  return body.viewer?.id ?? body.errors;
};
const refresh = (user: string) => app.graphql('mutation { refreshToken { token } }', {}, { user });

const incorrect = { errors: ['INVALID_CREDENTIALS: incorrect username or password'] };
const rejected = ['UNAUTHENTICATED: the token is unknown, expired or revoked'];

describe('login', () => {
  test('creates a token for 30 days, stored as a hash with a description of the device', async () => {
    const id = await createMember('ana@example.com');
    const { login: session } = await login('Ana@example.com', 'correct horse', {
      browser: 'Firefox',
      browserVersion: '141',
      isMobile: true,
    });
    const [row] = await app.sql.rows('select token_hash, device from user_token where user_id = $1 and device is not null', [id]);
    const days = Math.round((Date.parse(session.expiresAt) - Date.now()) / 86_400_000);
    expect({ user: session.user, row, days, viewer: await viewer(session.token) }).toEqual({
      user: { id, email: 'ana@example.com', isSuperAdmin: false },
      row: { token_hash: hashOf(session.token), device: 'Firefox, 141, mobile' },
      days: 30,
      viewer: id,
    });
  });

  test('gives the same error for a wrong password, an unknown address and a user without a password', async () => {
    await createMember('bo@example.com');
    await app.person({ email: 'no-password@example.com' });
    expect({
      wrongPassword: await login('bo@example.com', 'wrong'),
      unknownAddress: await login('nobody@example.com'),
      userWithoutPassword: await login('no-password@example.com', ''),
    }).toEqual({ wrongPassword: incorrect, unknownAddress: incorrect, userWithoutPassword: incorrect });
  });

  test('needs a platform or a key', async () => {
    const input = { email: 'ana@example.com', password: 'correct horse' };
    expect(await app.graphql(loginText, { input }, {})).toMatchObject({
      errors: [
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a publishable key (header PB-API-TOKEN)',
      ],
    });
  });
});

describe('the limit of wrong passwords', () => {
  test('locks an account after ten of them across processes, for known and unknown addresses', async () => {
    await createMember('locked@example.com');
    const loginAfterTenWrong = async (email: string) => {
      const input = { email, password: 'wrong' };
      const attempts = Array.from({ length: 10 }, (_, n) =>
        n % 2 ? login(email, 'wrong') : secondApp.graphql(loginText, { input }, app.platform),
      );
      await Promise.all(attempts);
      const { errors } = await secondApp.graphql(loginText, { input: { ...input, password: 'correct horse' } }, app.platform);
      const { code, retryAfter } = errors[0].extensions;
      return { there: { code, isRetriedLater: retryAfter > 850 }, here: (await login(email)).errors[0] };
    };
    const locked = {
      there: { code: 'RATE_LIMITED', isRetriedLater: true },
      here: 'RATE_LIMITED: too many tries: wait before the next one',
    };
    expect({
      known: await loginAfterTenWrong('locked@example.com'),
      unknown: await loginAfterTenWrong('ghost@example.com'),
    }).toEqual({ known: locked, unknown: locked });
  });

  test('responds to a locked login in /v1 with 429 and Retry-After', async () => {
    const payload = { email: 'locked@example.com', password: 'correct horse' };
    const { status, headers, body } = await app.rest('POST', '/v1/sso/login', app.platform, { payload });
    expect({ status, isRetriedLater: Number(headers.get('retry-after')) > 800, message: body.Message }).toEqual({
      status: 429,
      isRetriedLater: true,
      message: 'too many tries: wait before the next one',
    });
  });

  test('counts from zero again after a successful login', async () => {
    await createMember('forgetful@example.com');
    const loginAfterNineWrong = async () => {
      for (let n = 0; n < 9; n++) await login('forgetful@example.com', 'wrong');
      return Object.keys(await login('forgetful@example.com'));
    };
    expect({ first: await loginAfterNineWrong(), second: await loginAfterNineWrong() }).toEqual({
      first: ['login'],
      second: ['login'],
    });
  });

  test('holds for concurrent logins', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => login('burst@example.com', 'wrong')));
    const limited = answers.filter(({ errors }) => errors[0].startsWith('RATE_LIMITED'));
    expect(limited).toHaveLength(5);
  });

  test('does not count correct passwords', async () => {
    await createMember('popular@example.com');
    const answers = await Promise.all(Array.from({ length: 15 }, () => login('popular@example.com')));
    expect(answers.filter(({ login }) => login)).toHaveLength(15);
  });

  test('counts wrong passwords that a platform sends for one account separately for each address', async () => {
    await createMember('travels@example.com');
    for (let n = 0; n < 10; n++) await login('travels@example.com', 'wrong', { ipAddress: '203.0.113.20' });
    expect({
      sameAddress: (await login('travels@example.com', 'correct horse', { ipAddress: '203.0.113.20' })).errors,
      otherAddress: Object.keys(await login('travels@example.com', 'correct horse', { ipAddress: '203.0.113.21' })),
    }).toEqual({ sameAddress: ['RATE_LIMITED: too many tries: wait before the next one'], otherAddress: ['login'] });
  });

  test('locks an address for all accounts after 300 of them, except accounts that have signed in there', async () => {
    const device = { ipAddress: '203.0.113.7' };
    await createMember('neighbour@example.com');
    await createMember('resident@example.com');
    await login('resident@example.com', 'correct horse', device);
    await Promise.all(Array.from({ length: 299 }, (_, n) => login(`guess-${n}@example.com`, 'wrong', device)));
    const before = await login('guess-299@example.com', 'wrong', device);
    expect({
      before: before.errors,
      signedInBefore: Object.keys(await login('resident@example.com', 'correct horse', device)),
      wrongPassword: (await login('resident@example.com', 'wrong', device)).errors,
      withDevice: (await login('neighbour@example.com', 'correct horse', device)).errors,
      withoutDevice: Object.keys(await login('neighbour@example.com')),
    }).toEqual({
      before: incorrect.errors,
      signedInBefore: ['login'],
      wrongPassword: incorrect.errors,
      withDevice: ['RATE_LIMITED: too many tries: wait before the next one'],
      withoutDevice: ['login'],
    });
  });
});

describe('a token', () => {
  test('is replaced at once when it is refreshed', async () => {
    const id = await createMember('refresh@example.com');
    const oldToken = await tokenOf('refresh@example.com');
    const before = await viewer(oldToken);
    const { refreshToken } = await refresh(oldToken);
    expect({ before, oldToken: await viewer(oldToken), newToken: await viewer(refreshToken.token) }).toEqual({
      before: id,
      oldToken: rejected,
      newToken: id,
    });
  });

  test('is refreshed once when three refreshes arrive at the same time', async () => {
    await createMember('rotate@example.com');
    const token = await tokenOf('rotate@example.com');
    const answers = await Promise.all([refresh(token), refresh(token), refresh(token)]);
    expect(answers.filter(({ refreshToken }) => refreshToken)).toHaveLength(1);
  });

  test('is rejected after the logout: at once, and within a second by the other process', async () => {
    const id = await createMember('leaving@example.com');
    const user = await tokenOf('leaving@example.com');
    const viewerAtSecondApp = async () =>
      (await secondApp.graphql('{ viewer { id } }', {}, { user })).data?.viewer?.id ?? 'rejected';
    const before = await viewerAtSecondApp();
    await app.graphql('mutation { logout { expiresAt } }', {}, { user });
    const firstProcess = await viewer(user);
    // Longer than the 0.5 s for which the second process caches tokens. The test checks this limit, so it cannot poll.
    await sleep(1_000);
    const afterOneSecond = await viewerAtSecondApp();
    expect({ before, here: firstProcess, afterOneSecond }).toEqual({ before: id, here: rejected, afterOneSecond: 'rejected' });
  });

  test('is rejected once it has expired', async () => {
    await createMember('expired@example.com');
    const token = await tokenOf('expired@example.com');
    await app.sql.rows(`update user_token set expires_at = now() where token_hash = $1`, [hashOf(token)]);
    expect(await viewer(token)).toEqual(rejected);
  });

  test('can be revoked any number of times by a platform that sends it', async () => {
    await createMember('revoked@example.com');
    const token = await tokenOf('revoked@example.com');
    const revoke = () => app.graphql('mutation ($token: String!) { revokeToken(token: $token) { endedAt } }', { token });
    expect({ first: await revoke(), second: await revoke(), viewer: await viewer(token) }).toEqual({
      first: { revokeToken: { endedAt: expect.stringMatching(/Z$/) } },
      second: { revokeToken: { endedAt: null } },
      viewer: rejected,
    });
  });
});

describe('a token that a platform issues', () => {
  const place = (input: object) =>
    app.graphql('mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { token expiresAt user { id } } }', { input });
  const token = 'a-token-of-the-platform';

  test('is for the user of an address, and valid for at most 366 days', async () => {
    const id = await createMember('placed@example.com');
    const { placeToken } = await place({ token, email: 'Placed@example.com', expiresAt: '2999-01-01T00:00:00Z' });
    const days = Math.round((Date.parse(placeToken.expiresAt) - Date.now()) / 86_400_000);
    expect({ token: placeToken.token, user: placeToken.user, days, viewer: await viewer(token) }).toEqual({
      token,
      user: { id },
      days: 366,
      viewer: id,
    });
  });

  test('is rejected if it is short, expired or in use, or if its user is unknown, contradictory or a super admin', async () => {
    const admin = await app.person({ isSuperAdmin: true });
    const someone = await app.person();
    const errorOf = async (input: object) => (await place(input)).errors[0];
    expect({
      short: await errorOf({ token: 'short', userId: someone.id }),
      expired: await errorOf({ token: `${token}-2`, userId: someone.id, expiresAt: '2020-01-01T00:00:00Z' }),
      inUse: await errorOf({ token, userId: someone.id }),
      superAdmin: await errorOf({ token: `${token}-3`, userId: admin.id }),
      addressOfAnotherUser: await errorOf({ token: `${token}-4`, userId: someone.id, email: 'placed@example.com' }),
      nobody: await errorOf({ token: `${token}-5` }),
    }).toEqual({
      short: 'BAD_INPUT: input.token: expected 20 to 500 visible ASCII characters',
      expired: 'BAD_INPUT: input.expiresAt: expected a time in the future',
      inUse: 'CONFLICT: the token is revoked, expired, or registered for another user',
      superAdmin: 'FORBIDDEN: platforms cannot sign in super admins',
      addressOfAnotherUser: 'NOT_FOUND: no user with that id and e-mail address',
      nobody: 'BAD_INPUT: input.userId: expected the id of a user, or an e-mail address',
    });
  });
});

test('a one-time token signs its user in once, even when it is used twice at the same time', async () => {
  const { id, user } = await app.person();
  const { createOneTimeToken } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user });
  const exchange = () =>
    app.graphql('mutation ($token: String!) { validateOneTimeToken(token: $token) { token } }', createOneTimeToken);
  const answers = await Promise.all([exchange(), exchange()]);
  const [session] = answers.flatMap(({ validateOneTimeToken }) => validateOneTimeToken ?? []);
  const errors = answers.flatMap((answer) => answer.errors ?? []);
  expect({ viewer: await viewer(session.token), errors }).toEqual({
    viewer: id,
    errors: ['UNAUTHENTICATED: the token is unknown, expired or used'],
  });
});
