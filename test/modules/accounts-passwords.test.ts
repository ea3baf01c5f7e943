import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp, type Tokens } from '../support/app.js';
import { lastCode, lastLink, lastValue, mailbox } from '../support/mailbox.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const request = (email: string, channel = 'EMAIL') =>
  app.graphql(
    'mutation ($email: String!, $channel: ResetChannel!) { requestPasswordReset(email: $email, channel: $channel) { channel } }',
    {
      email,
      channel,
    },
  );
const reset = (value: string, email?: string, password = 'a new password') =>
  app.graphql(
    'mutation ($value: String!, $password: String!, $email: String) { resetPassword(value: $value, password: $password, email: $email) { id } }',
    { value, email, password },
    {},
  );
const isOpen = (value: string, email?: string) =>
  app.graphql('query ($value: String!, $email: String) { isLinkOpen(value: $value, email: $email) }', { value, email }, {});
const login = async (email: string, password = 'a new password') => {
  const body = await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { user { id } } }', {
    input: { email, password },
  });
  return body.login?.user.id ?? body.errors[0];
};
const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? 'dead';
const wrong = { errors: ['BAD_INPUT: the link or code is wrong or was used already'] };
const gone = { errors: ['GONE: the link or code has expired'] };
/** Another code of six digits. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a link', () => {
  test('sets a new password once, ends every token of the user, and verifies the address', async () => {
    const { id, user } = await app.person({ email: 'ana@example.com' });
    await app.sql.rows('update app_user set verified_at = null where id = $1', [id]);
    const answers = [await viewer(user), await request('Ana@example.com')];
    const value = await lastValue(app, 'ana@example.com');
    answers.push(await isOpen(value), await reset(value), await reset(value), await isOpen(value));
    expect([...answers, await viewer(user), await login('ana@example.com')]).toEqual([
      id,
      { requestPasswordReset: { channel: 'EMAIL' } },
      { isLinkOpen: true },
      { resetPassword: { id: expect.any(String) } },
      wrong,
      wrong,
      'dead',
      id,
    ]);
  });

  test('does nothing for an unknown address, and the answer is the same', async () => {
    expect([await request('nobody@example.com'), await mailbox(app, 'nobody@example.com')]).toEqual([
      { requestPasswordReset: { channel: 'EMAIL' } },
      [],
    ]);
  });

  test('takes the same time for an address that is known and one that is not', async () => {
    await app.person({ email: 'timed@example.com' });
    const best = { timed: Number.POSITIVE_INFINITY, untimed: Number.POSITIVE_INFINITY };
    for (let n = 0; n < 3; n++) {
      for (const name of ['timed', 'untimed'] as const) {
        const start = performance.now();
        await request(`${name}@example.com`);
        best[name] = Math.min(best[name], performance.now() - start);
      }
    }
    expect(best.untimed / best.timed).toBeGreaterThan(0.8);
  });

  test('ends after an hour', async () => {
    await app.person({ email: 'late@example.com' });
    await request('late@example.com');
    const value = await lastValue(app, 'late@example.com');
    await app.sql.rows(`update one_time_value set expires_at = expires_at - interval '1 hour' where purpose = 'resetPassword'`);
    expect([await isOpen(value), await reset(value)]).toMatchObject([gone, gone]);
  });

  test('is void when the address changed in between', async () => {
    const { id } = await app.person({ email: 'moved@example.com' });
    await request('moved@example.com');
    const value = await lastValue(app, 'moved@example.com');
    await app.sql.rows(`update app_user set email = 'elsewhere@example.com' where id = $1`, [id]);
    expect(await reset(value)).toMatchObject(wrong);
  });

  test('leads to the own page', async () => {
    await app.person({ email: 'page@example.com' });
    await request('page@example.com');
    expect(await lastLink(app, 'page@example.com')).toMatch(/^http:\/\/localhost:4000\/reset\/[\w-]{43}$/);
  });
});

describe('a code', () => {
  test('comes to the phone of the user and works once, with the address only', async () => {
    const { id } = await app.person({ email: 'cy@example.com', phone: '512 555 0123' });
    await request('cy@example.com', 'SMS');
    const code = await lastCode(app, '+15125550123');
    const answers = [
      await isOpen(code, 'cy@example.com'),
      await reset(code),
      await reset(code, 'ana@example.com'),
      await reset(code, 'Cy@example.com'),
      await reset(code, 'cy@example.com'),
    ];
    expect([...answers.map(({ errors, ...data }) => errors?.[0] ?? data), await login('cy@example.com')]).toEqual([
      { isLinkOpen: true },
      'BAD_INPUT: email: expected the address that the code was asked for',
      wrong.errors[0],
      { resetPassword: { id: expect.any(String) } },
      wrong.errors[0],
      id,
    ]);
  });

  test('may be guessed at five times, all at once or one by one', async () => {
    await app.person({ email: 'guessed@example.com', phone: '+1 512 555 0177' });
    await request('guessed@example.com', 'SMS');
    const code = await lastCode(app, '+15125550177');
    await Promise.all(Array.from({ length: 5 }, () => reset(other(code), 'guessed@example.com')));
    expect(await reset(code, 'guessed@example.com')).toMatchObject(wrong);
  });

  test('may be asked after as often as one likes while it is right, and wrong ones count', async () => {
    await app.person({ email: 'asked@example.com', phone: '+1 512 555 0188' });
    await request('asked@example.com', 'SMS');
    const code = await lastCode(app, '+15125550188');
    const right = () => isOpen(code, 'asked@example.com');
    const wrongOne = () => isOpen(other(code), 'asked@example.com');
    const answers = [...(await Promise.all(Array.from({ length: 8 }, right)))];
    for (let n = 0; n < 4; n++) answers.push(await wrongOne(), await right());
    answers.push(await wrongOne(), await right(), await reset(code, 'asked@example.com'));
    expect(answers).toEqual([
      ...Array(8).fill({ isLinkOpen: true }),
      ...Array.from({ length: 4 }, () => [wrong, { isLinkOpen: true }]).flat(),
      wrong,
      wrong,
      wrong,
    ]);
  });

  test('ends after ten minutes, and with the next one', async () => {
    await app.person({ email: 'next@example.com', phone: '+1 512 555 0199' });
    await request('next@example.com', 'SMS');
    const first = await lastCode(app, '+15125550199');
    await request('next@example.com', 'SMS');
    const second = await lastCode(app, '+15125550199');
    const replaced = first === second ? wrong : await reset(first, 'next@example.com');
    await app.sql.rows(`update one_time_value set expires_at = expires_at - interval '10 minutes'`);
    expect([replaced, await reset(second, 'next@example.com')]).toMatchObject([wrong, gone]);
  });

  test('is not sent without a phone, and nobody learns of it', async () => {
    await app.person({ email: 'phoneless@example.com' });
    expect([await request('phoneless@example.com', 'SMS'), await request('nobody-2@example.com', 'SMS')]).toEqual(
      Array(2).fill({ requestPasswordReset: { channel: 'SMS' } }),
    );
  });
});

describe('changing the password', () => {
  const change = (user: string, oldPassword: string, newPassword = 'a new password') =>
    app.graphql(
      'mutation ($oldPassword: String!, $newPassword: String!) { changePassword(oldPassword: $oldPassword, newPassword: $newPassword) { token } }',
      { oldPassword, newPassword },
      { user },
    );

  test('ends all tokens and open links of the user and gives a new one', async () => {
    const { id, user } = await app.person({ email: 'dee@example.com' });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('the old password')]);
    await request('dee@example.com');
    const { changePassword } = await change(user, 'the old password');
    const link = await reset(await lastValue(app, 'dee@example.com'));
    expect([await viewer(user), await viewer(changePassword.token), await login('dee@example.com'), link]).toMatchObject([
      'dead',
      id,
      id,
      wrong,
    ]);
  });

  test('needs the old one, and a new one of 8 to 200 characters', async () => {
    const { user } = await app.person();
    expect([await change(user, 'no idea'), await change(user, 'no idea', 'x'.repeat(201))]).toMatchObject([
      { errors: ['INVALID_CREDENTIALS: oldPassword: expected the password of the account'] },
      { errors: ['BAD_INPUT: newPassword: expected 8 to 200 characters'] },
    ]);
  });
});

test('a new password opens a locked account again', async () => {
  const { id } = await app.person({ email: 'unlocked@example.com' });
  for (let n = 0; n < 10; n++) await login('unlocked@example.com', 'wrong');
  const locked = await login('unlocked@example.com');
  await request('unlocked@example.com');
  await reset(await lastValue(app, 'unlocked@example.com'));
  expect([locked, await login('unlocked@example.com')]).toEqual(['RATE_LIMITED: too many tries: wait before the next one', id]);
});

test('no token outlives a new password, whatever happens at the same moment', async () => {
  const alive = [];
  for (const email of ['race-1@example.com', 'race-2@example.com', 'race-3@example.com', 'race-4@example.com']) {
    const { id, user } = await app.person({ email });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('the old password')]);
    await request(email);
    const value = await lastValue(app, email);
    const signOn = (text: string, variables: object, tokens?: Tokens) => app.graphql(text, { ...variables }, tokens);
    const input = { email, password: 'the old password' };
    const given = await Promise.all([
      reset(value),
      signOn('mutation { refreshToken { token } }', {}, { user }),
      ...Array.from({ length: 3 }, () => signOn('mutation ($input: LoginInput!) { login(input: $input) { token } }', { input })),
    ]);
    const tokens = given.flatMap(({ refreshToken, login: loggedIn }) => refreshToken?.token ?? loggedIn?.token ?? []);
    for (const token of [user, ...tokens]) alive.push(await viewer(token));
  }
  expect(new Set(alive)).toEqual(new Set(['dead']));
});
