import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../../src/modules/accounts/bootstrap.js';
import { blockedSessions } from '../../support/checks/blocked-sessions.js';
import { lastCode, lastValue, mailbox } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Returns the ID of the user to whom the token belongs, or `'rejected'`. */
const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? 'rejected';

describe('a token refresh', () => {
  const refresh = (variables: object) =>
    app.graphql(
      'mutation ($token: String, $email: String, $userId: ID) { refreshToken(token: $token, email: $email, userId: $userId) { token } }',
      { ...variables },
    );

  test("is rejected when the address or the id is not of the token's user, and the token stays valid", async () => {
    const { id, user: token } = await app.person({ email: 'ana@example.com' });
    const other = await app.person({ email: 'bo@example.com' });
    const errorOf = async (variables: object) => (await refresh(variables)).errors[0];
    expect({
      addressOfAnotherUser: await errorOf({ token, email: 'bo@example.com' }),
      unknownAddress: await errorOf({ token, email: 'nobody@example.com', userId: id }),
      anotherUser: await errorOf({ token, email: 'ana@example.com', userId: other.id }),
      unknownToken: await errorOf({ token: 'unknown', email: 'ana@example.com', userId: id }),
      viewer: await viewer(token),
    }).toEqual({
      addressOfAnotherUser: "BAD_INPUT: email: expected the address of the token's user",
      unknownAddress: "BAD_INPUT: email: expected the address of the token's user",
      anotherUser: "BAD_INPUT: userId: expected the id of the token's user",
      unknownToken: 'UNAUTHENTICATED: the token is unknown, expired or revoked',
      viewer: id,
    });
  });

  test('replaces the token when address and id match', async () => {
    const { id, user: token } = await app.person({ email: 'dee@example.com' });
    const { refreshToken } = await refresh({ token, email: 'Dee@Example.com', userId: id });
    expect({ oldToken: await viewer(token), newToken: await viewer(refreshToken.token) }).toEqual({
      oldToken: 'rejected',
      newToken: id,
    });
  });

  test('in /v1 compares email and uuid with the token, and ignores empty values', async () => {
    const { id, user } = await app.person({ email: 'cy@example.com' });
    const send = async (payload: object) => {
      const { status, body } = await app.rest('POST', '/v1/sso/refresh_token', app.platform, { payload });
      return { status, answer: body.Message ?? body.result };
    };
    expect({
      anotherEmail: await send({ email: 'bo@example.com', uuid: '', token: user }),
      anotherUuid: await send({ email: '', uuid: 'somebody', token: user }),
      emptyFields: await send({ email: '', uuid: '', token: user }),
    }).toEqual({
      anotherEmail: { status: 400, answer: "payload.email: expected the address of the token's user" },
      anotherUuid: { status: 400, answer: "payload.uuid: expected the id of the token's user" },
      emptyFields: {
        status: 200,
        answer: { email: 'cy@example.com', uuid: id, token: expect.any(String), expiration: expect.any(String) },
      },
    });
  });
});

describe('a super admin', () => {
  const place = (payload: object) => app.rest('POST', '/sso_platform/token', app.platform, { payload });
  const promote = (email: string) =>
    bootstrap(app.sql, { bootstrap: { platformToken: null, admin: { email, password: 'correct horse' } } });

  test('gets no token from a platform, by address or by uuid', async () => {
    const { id } = await app.person({ email: 'root@example.com', isSuperAdmin: true });
    const errorOf = async (payload: object) => {
      const { status, body } = await place(payload);
      return { status, message: body.Message };
    };
    const forbidden = { status: 403, message: 'platforms cannot sign in super admins' };
    expect({
      byAddress: await errorOf({ email: 'Root@example.com', token: 'a-token-of-the-platform' }),
      byUuid: await errorOf({ uuid: id, token: 'a-token-of-the-platform' }),
      viewer: await viewer('a-token-of-the-platform'),
    }).toEqual({ byAddress: forbidden, byUuid: forbidden, viewer: 'rejected' });
  });

  test('loses all tokens, links and codes from before the promotion', async () => {
    const { id, user } = await app.person({ email: 'rising@example.com' });
    const placed = 'a-token-for-a-rising-user';
    await place({ uuid: id, token: placed });
    const { body } = await app.rest('POST', '/v1/sso/refresh_token', app.platform, { payload: { token: placed } });
    const refreshed = body.result.token;
    const { createOneTimeToken } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user: refreshed });
    const change = 'mutation { updateProfile(input: { email: "platform@example.com" }) { id } }';
    await app.graphql(change, {}, { user: refreshed });
    const viewers = async () => ({ ownToken: await viewer(user), platformToken: await viewer(refreshed) });
    const before = await viewers();
    await promote('rising@example.com');
    app.resources.services.authenticator.clearCaches();
    const oneTimeToken = await app.rest('POST', '/sso_platform/validate_olttoken', app.platform, { payload: createOneTimeToken });
    const link = await app.rest('GET', `/v1/pub/validate_email/${await lastValue(app, 'platform@example.com')}`);
    expect({
      before,
      afterwards: await viewers(),
      oneTimeTokenStatus: oneTimeToken.status,
      linkStatus: link.status,
    }).toEqual({
      before: { ownToken: id, platformToken: id },
      afterwards: { ownToken: 'rejected', platformToken: 'rejected' },
      oneTimeTokenStatus: 401,
      linkStatus: 400,
    });
  });

  test('loses calendar links from before the promotion', async () => {
    const email = 'calendar@example.com';
    const { id } = await app.person({ email });
    const user = 'placed-before-the-calendar';
    await place({ uuid: id, token: user });
    const { createCalendarLink } = await app.graphql('mutation { createCalendarLink { url } }', {}, { user });
    const status = async () => (await fetch(createCalendarLink.url.replace(/^https?:\/\/[^/]+/, app.origin))).status;
    const before = await status();
    await promote(email);
    expect({ before, after: await status() }).toEqual({ before: 200, after: 401 });
  });

  test.each(['ADMIN', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'])(
    'or a user with the role %s gets no token from a platform',
    async (role) => {
      const { id } = await app.person({ roles: [role] });
      const { status, body } = await place({ uuid: id, token: `a-token-for-the-role-${role}` });
      expect({ status, message: body.Message, viewer: await viewer(`a-token-for-the-role-${role}`) }).toEqual({
        status: 403,
        message: 'platforms cannot sign in users with a role other than USER',
        viewer: 'rejected',
      });
    },
  );

  /** Sends a request while an open transaction promotes the user to super admin. Returns the status and message of the response. */
  async function errorDuringPromotion(id: string, request: () => ReturnType<typeof place>) {
    const { answer } = await app.sql.transaction(async () => {
      await app.sql.rows('update app_user set is_super_admin = true where id = $1', [id]);
      const pending = { answer: request() };
      // The promotion must commit only after the request waits for the locked row.
      await expect.poll(() => blockedSessions(app.sql)).toBeGreaterThan(0);
      return pending;
    });
    const { status, body } = await answer;
    return { status, message: body.Message };
  }

  test('gets no token from a platform during the promotion', async () => {
    const { id } = await app.person();
    const token = 'a-token-that-comes-too-late';
    expect({
      error: await errorDuringPromotion(id, () => place({ uuid: id, token })),
      viewer: await viewer(token),
    }).toEqual({ error: { status: 403, message: 'platforms cannot sign in super admins' }, viewer: 'rejected' });
  });

  test('is not changed by a platform during the promotion', async () => {
    const { id } = await app.person();
    const payload = { uuid: id, email: 'platform-too@example.com' };
    const upsert = () => app.rest('POST', '/v1/users/upsert', app.platform, { payload });
    expect(await errorDuringPromotion(id, upsert)).toEqual({
      status: 403,
      message: 'platforms cannot change super admins',
    });
  });

  test('loses earlier tokens, even if the configuration has the password of the user', async () => {
    const email = 'same-password@example.com';
    const { id } = await app.person({ email });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
    await place({ uuid: id, token: 'placed-before-the-start' });
    const before = await viewer('placed-before-the-start');
    await promote(email);
    await expect.poll(() => viewer('placed-before-the-start')).toBe('rejected');
    expect(before).toBe(id);
  });

  test('stays signed in when the configuration names them again', async () => {
    await promote('again@example.com');
    const input = { email: 'again@example.com', password: 'correct horse' };
    const { login } = await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token user { id } } }', {
      input,
    });
    await promote('again@example.com');
    expect(await viewer(login.token)).toBe(login.user.id);
  });
});

test('granting a role to a user revokes placed tokens, their refreshed tokens, one-time tokens and verification links', async () => {
  const superAdmin = await app.person({ isSuperAdmin: true });
  const { id, user } = await app.person({ email: 'promoted@example.com' });
  await app.rest('POST', '/sso_platform/token', app.platform, { payload: { uuid: id, token: 'placed-before-the-role' } });
  const { body } = await app.rest('POST', '/v1/sso/refresh_token', app.platform, {
    payload: { token: 'placed-before-the-role' },
  });
  const placed = body.result.token;
  const { createOneTimeToken } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user: placed });
  await app.graphql('mutation { updateProfile(input: { email: "of-platform@example.com" }) { id } }', {}, { user: placed });
  const before = await viewer(placed);
  await app.graphql(`mutation { grantRole(userId: "${id}", roleId: "1") { id } }`, {}, { user: superAdmin.user });
  const oneTimeToken = await app.rest('POST', '/sso_platform/validate_olttoken', app.platform, { payload: createOneTimeToken });
  const link = await app.rest('GET', `/v1/pub/validate_email/${await lastValue(app, 'of-platform@example.com')}`);
  expect({
    before,
    placed: await viewer(placed),
    ownToken: await viewer(user),
    oneTimeToken: oneTimeToken.status,
    link: link.status,
  }).toEqual({ before: id, placed: 'rejected', ownToken: id, oneTimeToken: 401, link: 400 });
});

describe('a user who gets a role loses', () => {
  const place = (payload: object) => app.rest('POST', '/sso_platform/token', app.platform, { payload });
  const promote = async (id: string, email = '') => {
    const superAdmin = await app.person({ isSuperAdmin: true });
    await app.graphql(
      `mutation { grantRole(userId: "${id}", roleId: "1", email: "${email}") { id } }`,
      {},
      { user: superAdmin.user },
    );
  };
  const requestReset = (email: string, channel = 'EMAIL') =>
    app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: ${channel}) { channel } }`);
  const reset = (value: string, email = '') =>
    app.graphql(
      'mutation ($value: String!, $email: String) { resetPassword(value: $value, email: $email, password: "chosen by a platform") { id } }',
      {
        value,
        email,
      },
    );
  const login = async (email: string): Promise<string> => {
    const answer = await app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', {
      input: { email, password: 'chosen by a platform' },
    });
    return answer.login?.token ?? answer.errors[0];
  };

  test('tokens obtained with a one-time token, which a platform can create with a placed token', async () => {
    const { id, user } = await app.person();
    const { createOneTimeToken } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user });
    const { body } = await app.rest('POST', '/sso_platform/validate_olttoken', app.platform, { payload: createOneTimeToken });
    const { token } = body.result;
    const before = await viewer(token);
    await promote(id);
    expect({ before, after: await viewer(token) }).toEqual({ before: id, after: 'rejected' });
  });

  test('a password that was chosen while a platform had changed the address', async () => {
    const { id } = await app.person({ email: 'borrowed@example.com' });
    const move = (email: string) => app.graphql(`mutation { upsertUser(input: { id: "${id}", email: "${email}" }) { id } }`);
    await move('mailbox-of-platform@example.com');
    await requestReset('mailbox-of-platform@example.com');
    await reset(await lastValue(app, 'mailbox-of-platform@example.com'));
    await move('borrowed@example.com');
    const token = await login('borrowed@example.com');
    const before = await viewer(token);
    await promote(id, 'borrowed@example.com');
    const after = { viewer: await viewer(token), login: await login('borrowed@example.com') };
    await requestReset('borrowed@example.com');
    await reset(await lastValue(app, 'borrowed@example.com'));
    expect({ before, after, afterReset: await viewer(await login('borrowed@example.com')) }).toEqual({
      before: id,
      after: { viewer: 'rejected', login: expect.stringContaining('INVALID_CREDENTIALS') },
      afterReset: id,
    });
  });

  test('a password that was chosen with a code sent to a phone, because a platform can set its number', async () => {
    const { id } = await app.person({ email: 'phoned@example.com', phone: '+1 512 555 0131' });
    await requestReset('phoned@example.com', 'SMS');
    await reset(await lastCode(app, '+15125550131'), 'phoned@example.com');
    const before = await viewer(await login('phoned@example.com'));
    await promote(id);
    expect({ before, login: await login('phoned@example.com') }).toEqual({
      before: id,
      login: expect.stringContaining('INVALID_CREDENTIALS'),
    });
  });

  test('password resets by a code sent to a phone', async () => {
    const { id } = await app.person({ email: 'called@example.com', phone: '+1 512 555 0132' });
    await requestReset('called@example.com', 'SMS');
    const code = await lastCode(app, '+15125550132');
    await promote(id);
    await requestReset('called@example.com', 'SMS');
    expect({
      earlierCode: await reset(code, 'called@example.com'),
      messages: (await mailbox(app, '+15125550132')).length,
    }).toEqual({ earlierCode: { errors: ['BAD_INPUT: the link or code is wrong or was used already'] }, messages: 1 });
  });

  test('calendar links that a platform created with a placed token', async () => {
    const { id } = await app.person();
    await place({ uuid: id, token: 'placed-for-a-calendar' });
    const { createCalendarLink } = await app.graphql(
      'mutation { createCalendarLink { url } }',
      {},
      { user: 'placed-for-a-calendar' },
    );
    const status = async () => (await fetch(createCalendarLink.url.replace(/^https?:\/\/[^/]+/, app.origin))).status;
    const before = await status();
    await promote(id);
    expect({ before, after: await status() }).toEqual({ before: 200, after: 401 });
  });

  const accessBeyondToken = {
    'a one-time token': 'createOneTimeToken { token }',
    'another address': 'updateProfile(input: { email: "evil@example.com" }) { id }',
    'a calendar link': 'createCalendarLink { id }',
    'another phone number': 'updateProfile(input: { phone: "+1 512 555 0142", phoneCountryId: "840" }) { id }',
  };
  const unauthenticated = ['UNAUTHENTICATED: the token is unknown, expired or revoked'];

  test.each(Object.entries(accessBeyondToken))('access that is requested during the grant: %s', async (_, mutation) => {
    const { id } = await app.person();
    const token = `placed-during-a-grant-${mutation.length}`;
    await place({ uuid: id, token });
    const { answer } = await app.sql.transaction(async () => {
      await app.sql.rows('select from app_user where id = $1 for update', [id]);
      const pending = { answer: app.graphql(`mutation { ${mutation} }`, {}, { user: token }) };
      await expect.poll(() => blockedSessions(app.sql)).toBeGreaterThan(0);
      await app.sql.rows('update user_token set revoked_at = clock_timestamp() where user_id = $1', [id]);
      return pending;
    });
    expect((await answer).errors).toEqual(unauthenticated);
  });

  test('a requested change of address, even if the request revokes its own token first', async () => {
    const { id } = await app.person();
    await place({ uuid: id, token: 'placed-and-revoked-by-itself' });
    const { errors } = await app.graphql(
      `mutation { revokeToken(token: "placed-and-revoked-by-itself") { endedAt } ${accessBeyondToken['another address']} }`,
      {},
      { user: 'placed-and-revoked-by-itself' },
    );
    expect({ errors, mails: (await mailbox(app, 'evil@example.com')).length }).toEqual({ errors: unauthenticated, mails: 0 });
  });

  test('no password that the user chose', async () => {
    const { id } = await app.person({ email: 'chose@example.com' });
    await requestReset('chose@example.com');
    await reset(await lastValue(app, 'chose@example.com'));
    const token = await login('chose@example.com');
    await promote(id);
    expect({ token: await viewer(token), login: await viewer(await login('chose@example.com')) }).toEqual({
      token: id,
      login: id,
    });
  });
});

test('a platform cannot change where the password reset of a user with a role is sent, but can repeat the values and change other fields', async () => {
  const { id } = await app.person({ email: 'editor@example.com', phone: '+1 512 555 0199', roles: ['ADMIN'] });
  const upsert = async (input: object) => {
    const text = 'mutation ($input: UserInput!) { upsertUser(input: $input) { email phone city } }';
    const answer = await app.graphql(text, { input: { id, ...input } });
    return answer.upsertUser ?? answer.errors;
  };
  const unchangedFields = { email: 'editor@example.com', phone: '+1 512 555 0199' };
  const phoneCountryForbidden = [
    'FORBIDDEN: input.phoneCountryId: platforms cannot change this field for users with a role other than USER',
  ];
  expect({
    email: await upsert({ email: 'attacker@example.com' }),
    phone: await upsert({ phone: '+1 512 555 0100' }),
    phoneCountry: await upsert({ phoneCountryId: '124' }),
    phoneCountryInLegacy: await upsert({ legacy: { phoneCountryId: '124' } }),
    repeated: await upsert({ ...unchangedFields, city: 'Austin' }),
  }).toEqual({
    email: ['FORBIDDEN: input.email: platforms cannot change this field for users with a role other than USER'],
    phone: ['FORBIDDEN: input.phone: platforms cannot change this field for users with a role other than USER'],
    phoneCountry: phoneCountryForbidden,
    phoneCountryInLegacy: phoneCountryForbidden,
    repeated: { ...unchangedFields, city: 'Austin' },
  });
});
