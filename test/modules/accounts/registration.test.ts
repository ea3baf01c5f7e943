import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastCode, lastLink, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(`update platform set allowed_origins = '{https://play.example}'`);
});
afterAll(() => app.close());

const register = (email: string, more: object = {}) =>
  app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', {
    input: { email, password: 'correct horse', ...more },
  });
const verify = (value: string) => app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
/** Signs in. Returns the user, or the errors. */
const login = async (email: string, password = 'correct horse', tokens?: Tokens) => {
  const text = 'mutation ($input: LoginInput!) { login(input: $input) { user { id firstName } } }';
  const body = await app.graphql(text, { input: { email, password } }, tokens);
  return body.login?.user ?? body.errors;
};
const resend = (email: string) =>
  app.graphql('mutation ($email: String!) { resendVerification(email: $email) { isMailSent } }', { email });
const subjects = async (to: string) => (await mailbox(app, to)).map(({ subject }) => subject);

const notVerified = ['NOT_VERIFIED: the account is not verified yet: open the link in the mail'];
const incorrect = ['INVALID_CREDENTIALS: incorrect username or password'];
const wrongLink = ['BAD_INPUT: the link or code is wrong or was used already'];

const sentResponse = { register: { isMailSent: true } };

describe('a registration', () => {
  test('creates an unverified user, who signs in once the link is opened', async () => {
    const registered = await register('Ana@Example.com', {
      firstName: 'Ana',
      lastName: 'Lopez',
      phone: '(512) 555-0123',
      gender: 'F',
    });
    expect({
      registered,
      loginBefore: await login('ana@example.com'),
      verified: await verify(await lastValue(app, 'ana@example.com')),
      loginAfterwards: await login('ANA@example.COM'),
    }).toEqual({
      registered: sentResponse,
      loginBefore: notVerified,
      verified: { verifyEmail: { id: expect.any(String) } },
      loginAfterwards: { id: expect.any(String), firstName: 'Ana' },
    });
  });

  test('with the address of a user returns the same response, changes nothing and notifies the owner', async () => {
    await app.person({ email: 'known@example.com', firstName: 'Kim' });
    const answer = await register('known@example.com', { firstName: 'Mallory' });
    const [row] = await app.sql.rows(`select first_name, password_hash from app_user where email = 'known@example.com'`);
    expect({ answer, row, mails: await subjects('known@example.com') }).toEqual({
      answer: sentResponse,
      row: { first_name: 'Kim', password_hash: null },
      mails: ['You already have an account'],
    });
  });

  test('with the address of a user that a platform created changes that user when the link is opened', async () => {
    await app.graphql(
      'mutation { upsertUser(input: { id: "claimed", email: "claimed@example.com", firstName: "Old", city: "Austin" }) { id } }',
    );
    await register('claimed@example.com', { firstName: 'New' });
    const user = async () => (await app.graphql('{ user(id: "claimed") { firstName city } }')).user;
    const before = await user();
    await verify(await lastValue(app, 'claimed@example.com'));
    expect({ before, afterwards: await user(), login: await login('claimed@example.com') }).toEqual({
      before: { firstName: 'Old', city: 'Austin' },
      afterwards: { firstName: 'New', city: 'Austin' },
      login: { id: 'claimed', firstName: 'New' },
    });
  });

  test('repeated before the link is opened updates the user in the name of the requesting platform', async () => {
    await register('again@example.com');
    await app.sql.rows(`update app_user set updated_by = null, updated_at = created_at where email = 'again@example.com'`);
    await register('again@example.com', { password: 'another horse' });
    const [row] = await app.sql.rows(
      `select updated_by as "updatedBy", updated_at > created_at as "isUpdated" from app_user where email = 'again@example.com'`,
    );
    expect(row).toEqual({ updatedBy: 'Test Platform', isUpdated: true });
  });

  test('repeated with another password does not change the password of the first link', async () => {
    await register('twice@example.com');
    const firstValue = await lastValue(app, 'twice@example.com');
    await register('twice@example.com', { password: 'of a stranger' });
    await verify(firstValue);
    expect({
      secondPassword: await login('twice@example.com', 'of a stranger'),
      firstPassword: await login('twice@example.com'),
    }).toEqual({ secondPassword: incorrect, firstPassword: { id: expect.any(String), firstName: null } });
  });

  test('for a user that a platform created, a login with a key reports the pending verification only if the password is a registered one', async () => {
    const tokens = { platform: (await newKey(app)).key };
    const loginByKey = (email: string, password?: string) => login(email, password, tokens);
    const tryPasswords = async () => ({
      first: await loginByKey('made@example.com', 'the first one'),
      second: await loginByKey('Made@example.com', 'the second one'),
      wrong: await loginByKey('made@example.com'),
      empty: await loginByKey('made@example.com', ''),
    });
    await app.graphql('mutation { upsertUser(input: { id: "made", email: "made@example.com" }) { id } }');
    const beforeRegistration = {
      wrong: await loginByKey('made@example.com'),
      empty: await loginByKey('made@example.com', ''),
    };
    await register('made@example.com', { password: 'the first one' });
    await register('made@example.com', { password: 'the second one' });
    await resend('made@example.com');
    const beforeVerification = await tryPasswords();
    await verify(await lastValue(app, 'made@example.com'));
    const afterVerification = {
      first: await loginByKey('made@example.com', 'the first one'),
      second: await loginByKey('made@example.com', 'the second one'),
    };
    expect({ beforeRegistration, beforeVerification, afterVerification }).toEqual({
      beforeRegistration: { wrong: incorrect, empty: incorrect },
      beforeVerification: { first: notVerified, second: notVerified, wrong: incorrect, empty: incorrect },
      afterVerification: { first: incorrect, second: { id: 'made', firstName: null } },
    });
  });

  test('replaced by a second one still reports its pending link', async () => {
    await register('overtaken@example.com', { password: 'the first one' });
    await register('overtaken@example.com', { password: 'the second one' });
    const [first, second, wrong] = await Promise.all(
      ['the first one', 'the second one', 'neither of them'].map((password) => login('overtaken@example.com', password)),
    );
    expect({ first, second, wrong }).toEqual({ first: notVerified, second: notVerified, wrong: incorrect });
  });

  test('sent three times at the same time creates one user', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => register('race@example.com')));
    const [row] = await app.sql.rows(`select count(*) from app_user where email = 'race@example.com'`);
    expect({ answers, row }).toEqual({ answers: Array(3).fill(sentResponse), row: { count: 1 } });
  });

  test.each([
    ['email', { email: 'nobody' }, 'input.email: expected an e-mail address such as ana@example.com'],
    ['password', { password: 'short' }, 'input.password: expected 8 to 200 characters'],
    ['phone', { phone: '123' }, 'input.phone: expected a phone number such as +1 512 555 0123'],
    ['dateOfBirth', { dateOfBirth: '2999-01-01' }, 'input.dateOfBirth: expected a date in the past'],
    [
      'customUrl',
      { customUrl: 'https://evil.example/x' },
      'input.customUrl: expected a URL of an origin that is allowed for the platform',
    ],
    [
      'customUrl',
      { customUrl: 'https://play.example@evil.example/' },
      'input.customUrl: expected a URL of an origin that is allowed for the platform',
    ],
    ['customUrl', { customUrl: 'javascript:alert(1)' }, 'input.customUrl: expected a URL that starts with https:// or http://'],
  ])('with an invalid %s is rejected', async (_, input, message) => {
    expect((await register('wrong@example.com', input)).errors).toEqual([`BAD_INPUT: ${message}`]);
  });

  test.each(['555-0123', '+1 (555) 123-4567 x89', '05551234567'])('stores the phone number %s unchanged', async (phone) => {
    const email = `${phone.replace(/\D/g, '')}@example.com`;
    await register(email, { phone });
    expect(await app.sql.rows('select phone from app_user where email = $1', [email])).toEqual([{ phone }]);
  });

  test('sends at most fifty messages an hour to an address, even to an unknown one', async () => {
    const answers = await Promise.all(Array.from({ length: 51 }, () => resend('flood@example.com')));
    const outcomes = answers.map(({ errors }) => errors ?? 'sent').sort((a, b) => Number(a !== 'sent') - Number(b !== 'sent'));
    expect(outcomes).toEqual([...Array(50).fill('sent'), ['RATE_LIMITED: too many tries: wait before the next one']]);
  });
});

describe('verification links', () => {
  test('lead to the page that the client requested, or to the page of the service', async () => {
    await register('own@example.com');
    await register('custom@example.com', { customUrl: 'https://play.example/welcome?code=' });
    expect({
      byDefault: await lastLink(app, 'own@example.com'),
      withCustomUrl: await lastLink(app, 'custom@example.com'),
    }).toEqual({
      byDefault: expect.stringMatching(/^http:\/\/localhost:4000\/verify\/[\w-]{43}$/),
      withCustomUrl: expect.stringMatching(/^https:\/\/play\.example\/welcome\?code=[\w-]{43}$/),
    });
  });

  test('work once, even when opened twice at the same time', async () => {
    await register('once@example.com');
    const value = await lastValue(app, 'once@example.com');
    const answers = await Promise.all([verify(value), verify(value)]);
    expect(answers.map(({ errors }) => errors ?? 'opened').toSorted()).toEqual([wrongLink, 'opened']);
  });

  test('expire after 48 hours', async () => {
    await register('late@example.com');
    await app.sql.rows(`update one_time_value set expires_at = expires_at - interval '48 hours'`);
    expect(await verify(await lastValue(app, 'late@example.com'))).toMatchObject({
      errors: ['GONE: the link or code has expired'],
    });
  });

  test('that are sent again keep the registered data', async () => {
    await register('again@example.com', { firstName: 'Ada' });
    const answer = await resend('again@example.com');
    await verify(await lastValue(app, 'again@example.com'));
    expect({ answer, login: await login('again@example.com') }).toEqual({
      answer: { resendVerification: { isMailSent: true } },
      login: { id: expect.any(String), firstName: 'Ada' },
    });
  });

  test('are not sent to an unknown address, and the response is the same', async () => {
    expect({ answer: await resend('stranger@example.com'), mails: await mailbox(app, 'stranger@example.com') }).toEqual({
      answer: { resendVerification: { isMailSent: true } },
      mails: [],
    });
  });

  test('are stored only as hashes', async () => {
    await register('hashed@example.com');
    const value = await lastValue(app, 'hashed@example.com');
    const rows = await app.sql.rows(
      `select id from one_time_value v where v::text like '%' || $1 || '%' or v::text like '%correct horse%'`,
      [value],
    );
    expect(rows).toEqual([]);
  });
});

describe('the check for passwords that are easy to guess', () => {
  const message = (field: string) => [`BAD_INPUT: ${field}: expected a password that is harder to guess`];

  const common = ['password', '12345678', 'Passw0rd', 'qwertyuiop', 'aaaaaaaa', 'welcome1', 'chocolate', 'MUSTANG1', 'serenity'];
  const derived = [
    'weak.name@example.com',
    'courtside',
    'Courtside2026',
    'password!1',
    'Summer2026',
    'weak.name',
    'name1984',
    'Courtside2026!',
    'Pickleball1',
    'p a s s w o r d',
    'ｐａｓｓｗｏｒｄ',
    'password1234567',
    'weakweak',
  ];

  test.each([...common, ...derived])('rejects %s at registration', async (password) => {
    expect((await register('weak.name@example.com', { password })).errors).toEqual(message('input.password'));
  });

  test.each(['correct horse battery', 'ab19283746551', 'mountain-otter-17', 'пароль из слов'])(
    'accepts %s at registration',
    async (password) => {
      expect((await register(`${password.length}@strong.example`, { password })).errors).toBeUndefined();
    },
  );

  test('knows the address and the names of the user when a password is changed or reset', async () => {
    const email = 'weak.name@example.com';
    const phone = '+15125550669';
    const { user } = await app.person({ email, firstName: 'Maximiliana', lastName: 'Featherstone', phone });
    const passwords = [email, 'weak.name', 'Maximiliana', 'featherstone1'];
    const reset = (value: string, password: string) =>
      app.graphql(
        'mutation ($value: String!, $email: String, $password: String!) { resetPassword(value: $value, email: $email, password: $password) { id } }',
        { value, password, ...(/^\d{6}$/.test(value) && { email }) },
        {},
      );
    const change = (newPassword: string) =>
      app.graphql(
        'mutation ($newPassword: String!) { changePassword(oldPassword: "x", newPassword: $newPassword) { token } }',
        { newPassword },
        { user },
      );
    const problemsOf = async (send: (password: string) => Promise<{ errors?: string[] }>) => {
      const problems = [];
      for (const password of passwords) problems.push((await send(password)).errors?.[0] ?? 'accepted');
      return problems;
    };
    await app.graphql(`mutation { requestPasswordReset(email: "${email}") { channel } }`);
    const link = await lastValue(app, email);
    await app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: SMS) { channel } }`);
    const code = await lastCode(app, phone);
    expect({
      change: await problemsOf(change),
      code: await problemsOf((password) => reset(code, password)),
      unknownLink: (await reset('x', 'Maximiliana')).errors,
      link: await problemsOf((password) => reset(link, password)),
      strongPassword: (await reset(link, 'correct horse')).errors,
      usedLink: (await reset(link, 'Maximiliana')).errors,
    }).toEqual({
      change: passwords.flatMap(() => message('newPassword')),
      code: passwords.flatMap(() => message('password')),
      unknownLink: wrongLink,
      link: passwords.flatMap(() => message('password')),
      strongPassword: undefined,
      usedLink: wrongLink,
    });
  });

  test('applies when a password is changed or reset', async () => {
    const { user } = await app.person();
    const change = 'mutation { changePassword(oldPassword: "x", newPassword: "12345678") { token } }';
    const reset = 'mutation { resetPassword(value: "x", password: "12345678") { id } }';
    expect({
      change: (await app.graphql(change, {}, { user })).errors,
      reset: (await app.graphql(reset, {}, {})).errors,
    }).toEqual({ change: message('newPassword'), reset: message('password') });
  });
});
