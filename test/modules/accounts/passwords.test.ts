import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastCode, lastLink, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const request = (email: string, channel = 'EMAIL') =>
  app.graphql(
    'mutation ($email: String!, $channel: ResetChannel!) { requestPasswordReset(email: $email, channel: $channel) { channel } }',
    { email, channel },
  );
const reset = (value: string, email?: string, password = 'a new password') =>
  app.graphql(
    'mutation ($value: String!, $password: String!, $email: String) { resetPassword(value: $value, password: $password, email: $email) { id } }',
    { value, email, password },
    {},
  );
const isOpen = (value: string, email?: string) =>
  app.graphql('query ($value: String!, $email: String) { isLinkOpen(value: $value, email: $email) }', { value, email }, {});
/** Signs in. Returns the ID of the user or the error. */
const login = async (email: string, password = 'a new password') => {
  const body = await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { user { id } } }', {
    input: { email, password },
  });
  return body.login?.user.id ?? body.errors[0];
};
/** Returns the ID of the token's user, or `'rejected'`. */
const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? 'rejected';
const wrongValue = { errors: ['BAD_INPUT: the link or code is wrong or was used already'] };
const expired = { errors: ['GONE: the link or code has expired'] };
/** Returns a wrong six-digit code. */
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a reset link', () => {
  test('sets a new password once, ends every token of the user, and verifies the address', async () => {
    const { id, user } = await app.person({ email: 'ana@example.com' });
    await app.sql.rows('update app_user set verified_at = null where id = $1', [id]);
    const viewerBefore = await viewer(user);
    const requested = await request('Ana@example.com');
    const value = await lastValue(app, 'ana@example.com');
    expect({
      viewerBefore,
      requested,
      openBefore: await isOpen(value),
      reset: await reset(value),
      secondReset: await reset(value),
      openAfterwards: await isOpen(value),
      viewerAfterwards: await viewer(user),
      login: await login('ana@example.com'),
    }).toEqual({
      viewerBefore: id,
      requested: { requestPasswordReset: { channel: 'EMAIL' } },
      openBefore: { isLinkOpen: true },
      reset: { resetPassword: { id: expect.any(String) } },
      secondReset: wrongValue,
      openAfterwards: wrongValue,
      viewerAfterwards: 'rejected',
      login: id,
    });
  });

  test('is not sent to an unknown address, and the response is the same', async () => {
    expect({ answer: await request('nobody@example.com'), mails: await mailbox(app, 'nobody@example.com') }).toEqual({
      answer: { requestPasswordReset: { channel: 'EMAIL' } },
      mails: [],
    });
  });

  test('expires after an hour', async () => {
    await app.person({ email: 'late@example.com' });
    await request('late@example.com');
    const value = await lastValue(app, 'late@example.com');
    await app.sql.rows(`update one_time_value set expires_at = expires_at - interval '1 hour' where purpose = 'resetPassword'`);
    expect({ isOpen: await isOpen(value), reset: await reset(value) }).toMatchObject({ isOpen: expired, reset: expired });
  });

  test('is invalid once the address has changed', async () => {
    const { id } = await app.person({ email: 'moved@example.com' });
    await request('moved@example.com');
    const value = await lastValue(app, 'moved@example.com');
    await app.sql.rows(`update app_user set email = 'elsewhere@example.com' where id = $1`, [id]);
    expect(await reset(value)).toMatchObject(wrongValue);
  });

  test('leads to the page of the service by default', async () => {
    await app.person({ email: 'page@example.com' });
    await request('page@example.com');
    expect(await lastLink(app, 'page@example.com')).toMatch(/^http:\/\/localhost:4000\/reset\/[\w-]{43}$/);
  });
});

describe('a reset code', () => {
  test('is sent to the phone of the user and works once, only with their e-mail address', async () => {
    const { id } = await app.person({ email: 'cy@example.com', phone: '512 555 0123' });
    await request('cy@example.com', 'SMS');
    const code = await lastCode(app, '+15125550123');
    expect({
      isOpen: await isOpen(code, 'cy@example.com'),
      withoutAddress: await reset(code),
      withAnotherAddress: await reset(code, 'ana@example.com'),
      withAddress: await reset(code, 'Cy@example.com'),
      secondTime: await reset(code, 'cy@example.com'),
      login: await login('cy@example.com'),
    }).toEqual({
      isOpen: { isLinkOpen: true },
      withoutAddress: { errors: ['BAD_INPUT: email: expected the address that the code was asked for'] },
      withAnotherAddress: wrongValue,
      withAddress: { resetPassword: { id: expect.any(String) } },
      secondTime: wrongValue,
      login: id,
    });
  });

  test('is invalid after five wrong codes, even when they arrive at the same time', async () => {
    await app.person({ email: 'guessed@example.com', phone: '+1 512 555 0177' });
    await request('guessed@example.com', 'SMS');
    const code = await lastCode(app, '+15125550177');
    await Promise.all(Array.from({ length: 5 }, () => reset(wrongCodeFor(code), 'guessed@example.com')));
    expect(await reset(code, 'guessed@example.com')).toMatchObject(wrongValue);
  });

  test('can be checked any number of times, but with at most five wrong codes', async () => {
    await app.person({ email: 'asked@example.com', phone: '+1 512 555 0188' });
    await request('asked@example.com', 'SMS');
    const code = await lastCode(app, '+15125550188');
    const check = () => isOpen(code, 'asked@example.com');
    const checkWrongCode = () => isOpen(wrongCodeFor(code), 'asked@example.com');
    const concurrentChecks = await Promise.all(Array.from({ length: 8 }, check));
    const checksAfterWrongCodes = [];
    for (let n = 0; n < 4; n++) checksAfterWrongCodes.push({ wrongCode: await checkWrongCode(), code: await check() });
    expect({
      concurrentChecks,
      checksAfterWrongCodes,
      fifthWrongCode: await checkWrongCode(),
      codeAfterwards: await check(),
      resetAfterwards: await reset(code, 'asked@example.com'),
    }).toEqual({
      concurrentChecks: Array(8).fill({ isLinkOpen: true }),
      checksAfterWrongCodes: Array(4).fill({ wrongCode: wrongValue, code: { isLinkOpen: true } }),
      fifthWrongCode: wrongValue,
      codeAfterwards: wrongValue,
      resetAfterwards: wrongValue,
    });
  });

  test('expires after ten minutes, and is replaced by the next one', async () => {
    await app.person({ email: 'next@example.com', phone: '+1 512 555 0199' });
    await request('next@example.com', 'SMS');
    const first = await lastCode(app, '+15125550199');
    await request('next@example.com', 'SMS');
    const second = await lastCode(app, '+15125550199');
    // The two random codes can be equal by chance.
    const replacedCode = first === second ? wrongValue : await reset(first, 'next@example.com');
    await app.sql.rows(`update one_time_value set expires_at = expires_at - interval '10 minutes'`);
    expect({ replacedCode, codeAfterTenMinutes: await reset(second, 'next@example.com') }).toMatchObject({
      replacedCode: wrongValue,
      codeAfterTenMinutes: expired,
    });
  });

  test('is requested with the same response for a user without a phone and an unknown address', async () => {
    await app.person({ email: 'phoneless@example.com' });
    const answer = { requestPasswordReset: { channel: 'SMS' } };
    expect({
      userWithoutPhone: await request('phoneless@example.com', 'SMS'),
      unknownAddress: await request('nobody-2@example.com', 'SMS'),
    }).toEqual({ userWithoutPhone: answer, unknownAddress: answer });
  });
});

describe('changing the password', () => {
  const change = (user: string, oldPassword: string, newPassword = 'a new password') =>
    app.graphql(
      'mutation ($oldPassword: String!, $newPassword: String!) { changePassword(oldPassword: $oldPassword, newPassword: $newPassword) { token } }',
      { oldPassword, newPassword },
      { user },
    );

  test('ends all tokens and reset links of the user, and returns a new token', async () => {
    const { id, user } = await app.person({ email: 'dee@example.com' });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('the old password')]);
    await request('dee@example.com');
    const { changePassword } = await change(user, 'the old password');
    const link = await reset(await lastValue(app, 'dee@example.com'));
    expect({
      oldToken: await viewer(user),
      newToken: await viewer(changePassword.token),
      login: await login('dee@example.com'),
      link,
    }).toMatchObject({ oldToken: 'rejected', newToken: id, login: id, link: wrongValue });
  });

  test('needs the old password, and a new one of 8 to 200 characters', async () => {
    const { user } = await app.person();
    expect({
      wrongOldPassword: await change(user, 'no idea'),
      newPasswordTooLong: await change(user, 'no idea', 'x'.repeat(201)),
    }).toMatchObject({
      wrongOldPassword: { errors: ['INVALID_CREDENTIALS: oldPassword: expected the password of the account'] },
      newPasswordTooLong: { errors: ['BAD_INPUT: newPassword: expected 8 to 200 characters'] },
    });
  });
});

test('a password reset unlocks a locked account', async () => {
  const { id } = await app.person({ email: 'unlocked@example.com' });
  for (let n = 0; n < 10; n++) await login('unlocked@example.com', 'wrong');
  const loginWhileLocked = await login('unlocked@example.com');
  await request('unlocked@example.com');
  await reset(await lastValue(app, 'unlocked@example.com'));
  expect({ loginWhileLocked, loginAfterReset: await login('unlocked@example.com') }).toEqual({
    loginWhileLocked: 'RATE_LIMITED: too many tries: wait before the next one',
    loginAfterReset: id,
  });
});

test('a password reset ends all tokens, including those that concurrent requests create', async () => {
  const viewers = [];
  for (const email of ['race-1@example.com', 'race-2@example.com', 'race-3@example.com', 'race-4@example.com']) {
    const { id, user } = await app.person({ email });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('the old password')]);
    await request(email);
    const value = await lastValue(app, email);
    const signOn = (text: string, variables: object, tokens?: Tokens) => app.graphql(text, { ...variables }, tokens);
    const input = { email, password: 'the old password' };
    const answers = await Promise.all([
      reset(value),
      signOn('mutation { refreshToken { token } }', {}, { user }),
      ...Array.from({ length: 3 }, () => signOn('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input })),
    ]);
    const newTokens = answers.flatMap(({ refreshToken, login: session }) => refreshToken?.token ?? session?.token ?? []);
    for (const token of [user, ...newTokens]) viewers.push(await viewer(token));
  }
  expect(new Set(viewers)).toEqual(new Set(['rejected']));
});
