import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../src/modules/accounts/bootstrap.js';
import { blockedSessions } from '../support/checks/blocked-sessions.js';
import { lastValue } from '../support/clients/mailbox.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The id of the token's user, or `'rejected'`. */
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

  test('under /v1 compares email and uuid with the token, and ignores empty ones', async () => {
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
    const forbidden = { status: 403, message: 'super admins sign in themselves' };
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
    app.resources.services.identifier.forget();
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

  test.each(['ADMIN', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'])(
    'or a user with the role %s gets no token from a platform',
    async (role) => {
      const { id } = await app.person({ roles: [role] });
      const { status, body } = await place({ uuid: id, token: `a-token-for-the-role-${role}` });
      expect({ status, message: body.Message, viewer: await viewer(`a-token-for-the-role-${role}`) }).toEqual({
        status: 403,
        message: 'users with a role sign in themselves',
        viewer: 'rejected',
      });
    },
  );

  /** The error of a request that arrives while the transaction of a promotion is open. */
  async function errorDuringPromotion(id: string, request: () => ReturnType<typeof place>) {
    const { answer } = await app.sql.transaction(async () => {
      await app.sql.rows('update app_user set is_super_admin = true where id = $1', [id]);
      const pending = { answer: request() };
      // The request waits for the locked row before the commit.
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
    }).toEqual({ error: { status: 403, message: 'super admins sign in themselves' }, viewer: 'rejected' });
  });

  test('is not changed by a platform during the promotion', async () => {
    const { id } = await app.person();
    const payload = { uuid: id, email: 'platform-too@example.com' };
    const upsert = () => app.rest('POST', '/v1/users/upsert', app.platform, { payload });
    expect(await errorDuringPromotion(id, upsert)).toEqual({
      status: 403,
      message: 'a super admin is changed by nobody else',
    });
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

test('a user who gets a role loses what platforms hold: placed tokens, their successors, one-time tokens and links', async () => {
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

test('a platform cannot change where the password reset of a user with a role is sent, but repeat it and change other fields', async () => {
  const { id } = await app.person({ email: 'editor@example.com', phone: '+1 512 555 0199', roles: ['ADMIN'] });
  const upsert = async (input: object) => {
    const text = 'mutation ($input: UserInput!) { upsertUser(input: $input) { email phone city } }';
    const answer = await app.graphql(text, { input: { id, ...input } });
    return answer.upsertUser ?? answer.errors;
  };
  const kept = { email: 'editor@example.com', phone: '+1 512 555 0199' };
  expect({
    email: await upsert({ email: 'attacker@example.com' }),
    phone: await upsert({ phone: '+1 512 555 0100' }),
    repeated: await upsert({ ...kept, city: 'Austin' }),
  }).toEqual({
    email: ['FORBIDDEN: input.email: users with a role change it themselves'],
    phone: ['FORBIDDEN: input.phone: users with a role change it themselves'],
    repeated: { ...kept, city: 'Austin' },
  });
});
