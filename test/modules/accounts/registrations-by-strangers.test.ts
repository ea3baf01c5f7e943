import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastCode, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const register = (email: string, more: object = {}) =>
  app.graphql('mutation ($input: RegisterInput!) { register(input: $input) { isMailSent } }', {
    input: { email, password: 'correct horse', ...more },
  });
const verify = (value: string) => app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
/** Signs in. Returns the user, or the errors. */
const login = async (email: string, password = 'correct horse') => {
  const text = 'mutation ($input: LoginInput!) { login(input: $input) { user { id firstName } } }';
  const body = await app.graphql(text, { input: { email, password } });
  return body.login?.user ?? body.errors;
};
const resend = (email: string) =>
  app.graphql('mutation ($email: String!) { resendVerification(email: $email) { isMailSent } }', { email });
const incorrect = ['INVALID_CREDENTIALS: incorrect username or password'];

describe('the phone number of a stranger who registered the address', () => {
  const phone = '+15125550666';
  const requestReset = (email: string, channel: string) =>
    app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: ${channel}) { channel } }`);
  const reset = (value: string, email: string, password: string) =>
    app.graphql(`mutation { resetPassword(value: "${value}", email: "${email}", password: "${password}") { id } }`);
  const phoneOf = async (email: string) => {
    const [row] = await app.sql.rows('select phone, phone_country_id as "phoneCountryId" from app_user where email = $1', [
      email,
    ]);
    return row;
  };
  /** Returns the number of codes sent to the stranger for this account. */
  const countCodes = async (email: string) => {
    const before = (await mailbox(app, phone)).length;
    await requestReset(email, 'SMS');
    return (await mailbox(app, phone)).length - before;
  };
  const strangerRegisters = (email: string) => register(email, { password: 'of a stranger', phone, phoneCountryId: '840' });
  const removed = { phone: null, phoneCountryId: null };

  test('is removed when the owner opens the link of a registration without a phone number', async () => {
    const email = 'victim-1@example.com';
    await strangerRegisters(email);
    const stored = await phoneOf(email);
    await register(email, { firstName: 'Ana', lastName: 'Lopez' });
    await verify(await lastValue(app, email));
    expect({ stored, phone: await phoneOf(email), codes: await countCodes(email), login: await login(email) }).toEqual({
      stored: { phone, phoneCountryId: '840' },
      phone: removed,
      codes: 0,
      login: { id: expect.any(String), firstName: 'Ana' },
    });
  });

  test('is replaced by the phone number of the opened link, without its country', async () => {
    const email = 'victim-2@example.com';
    await strangerRegisters(email);
    await register(email, { phone: '(512) 555-0123' });
    await verify(await lastValue(app, email));
    expect(await phoneOf(email)).toEqual({ phone: '(512) 555-0123', phoneCountryId: null });
  });

  test('is removed when the owner resets the password with a mailed link', async () => {
    const email = 'victim-3@example.com';
    await strangerRegisters(email);
    await requestReset(email, 'EMAIL');
    await reset(await lastValue(app, email), email, 'correct horse');
    expect({ phone: await phoneOf(email), codes: await countCodes(email) }).toEqual({ phone: removed, codes: 0 });
  });

  test('is removed even if the stranger has reset the password with a code', async () => {
    const email = 'victim-4@example.com';
    await strangerRegisters(email);
    await requestReset(email, 'SMS');
    await reset(await lastCode(app, phone), email, 'also of a stranger');
    await register(email);
    await verify(await lastValue(app, email));
    expect({ phone: await phoneOf(email), login: await login(email, 'also of a stranger') }).toEqual({
      phone: removed,
      login: incorrect,
    });
  });

  test('is removed when an administrator grants a role with the confirmed address', async () => {
    const email = 'victim-5@example.com';
    await strangerRegisters(email);
    const { user } = await app.person({ isSuperAdmin: true });
    const [row] = await app.sql.rows<{ id: string }>('select id from app_user where email = $1', [email]);
    const grant = await app.graphql(
      'mutation ($userId: ID!, $email: String) { grantRole(userId: $userId, roleId: "2", email: $email) { id } }',
      { userId: row?.id, email },
      { user },
    );
    expect({ errors: grant.errors, phone: await phoneOf(email) }).toEqual({ errors: undefined, phone: removed });
  });

  test('stays on an account that a platform created', async () => {
    const email = 'with-platform-phone@example.com';
    await app.graphql(`mutation { upsertUser(input: { id: "with-phone", email: "${email}", phone: "5125550100" }) { id } }`);
    await register(email);
    await verify(await lastValue(app, email));
    expect(await phoneOf(email)).toEqual({ phone: '5125550100', phoneCountryId: null });
  });
});

describe('verification links', () => {
  test.each(['self-registered', 'created by a platform'])(
    'that are sent again after a reset with a code contain no earlier registration, for an account %s',
    async (origin) => {
      const phone = origin === 'self-registered' ? '+15125550667' : '+15125550668';
      const email = `reset${phone}@example.com`;
      const isCreated = origin === 'created by a platform';
      if (isCreated)
        await app.graphql(`mutation { upsertUser(input: { id: "reset-by-code", email: "${email}", phone: "${phone}" }) { id } }`);
      await register(email, { password: 'of a stranger', firstName: 'Eve', phone });
      await app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: SMS) { channel } }`);
      const code = await lastCode(app, phone);
      await app.graphql(`mutation { resetPassword(value: "${code}", email: "${email}", password: "set with a code") { id } }`);
      await resend(email);
      await verify(await lastValue(app, email));
      const loginOfStranger = await login(email, 'of a stranger');
      const loginWithCode = await login(email, 'set with a code');
      await app.graphql(`mutation { requestPasswordReset(email: "${email}") { channel } }`);
      const value = await lastValue(app, email);
      await app.graphql(`mutation { resetPassword(value: "${value}", password: "correct horse") { id } }`);
      expect({ loginOfStranger, loginWithCode, loginAfterReset: await login(email) }).toEqual({
        loginOfStranger: incorrect,
        loginWithCode: incorrect,
        loginAfterReset: { id: expect.any(String), firstName: isCreated ? null : 'Eve' },
      });
    },
  );
});
