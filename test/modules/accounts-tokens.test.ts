import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../src/modules/accounts/bootstrap.js';
import { startApp, type TestApp } from '../support/app.js';
import { lastValue } from '../support/mailbox.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? 'dead';

describe('a token that is refreshed', () => {
  const refresh = (variables: object) =>
    app.graphql(
      'mutation ($token: String, $email: String, $userId: ID) { refreshToken(token: $token, email: $email, userId: $userId) { token } }',
      { ...variables },
    );

  test('stays alive when address or user contradict it', async () => {
    const { id, user: token } = await app.person({ email: 'ana@example.com' });
    const other = await app.person({ email: 'bo@example.com' });
    const refused = [
      await refresh({ token, email: 'bo@example.com' }),
      await refresh({ token, email: 'nobody@example.com', userId: id }),
      await refresh({ token, email: 'ana@example.com', userId: other.id }),
      await refresh({ token: 'unknown', email: 'ana@example.com', userId: id }),
    ];
    const alive = await viewer(token);
    const { refreshToken } = await refresh({ token, email: 'Ana@Example.com', userId: id });
    expect([...refused.map(({ errors }) => errors[0]), alive, await viewer(token), await viewer(refreshToken.token)]).toEqual([
      "BAD_INPUT: email: expected the address of the token's user",
      "BAD_INPUT: email: expected the address of the token's user",
      "BAD_INPUT: userId: expected the id of the token's user",
      'UNAUTHENTICATED: the token is unknown, expired or revoked',
      id,
      'dead',
      id,
    ]);
  });

  test('is compared with the token record under /v1, where an empty field says nothing', async () => {
    const { id, user } = await app.person({ email: 'cy@example.com' });
    const send = async (payload: object) => {
      const { status, body } = await app.rest('POST', '/v1/sso/refresh_token', app.platform, { payload });
      return [status, body.Message ?? body.result];
    };
    expect([
      await send({ email: 'bo@example.com', uuid: '', token: user }),
      await send({ email: '', uuid: 'somebody', token: user }),
      await send({ email: '', uuid: '', token: user }),
    ]).toEqual([
      [400, "payload.email: expected the address of the token's user"],
      [400, "payload.uuid: expected the id of the token's user"],
      [200, { email: 'cy@example.com', uuid: id, token: expect.any(String), expiration: expect.any(String) }],
    ]);
  });
});

describe('a super admin', () => {
  const place = (payload: object) => app.rest('POST', '/sso_platform/token', app.platform, { payload });
  const promote = (email: string) =>
    bootstrap(app.sql, { bootstrap: { platformToken: null, admin: { email, password: 'correct horse' } } });

  test('is nobody for whom a platform places a token, by address or by uuid', async () => {
    const { id } = await app.person({ email: 'root@example.com', isSuperAdmin: true });
    const answers = [
      await place({ email: 'Root@example.com', token: 'a-token-of-the-platform' }),
      await place({ uuid: id, token: 'a-token-of-the-platform' }),
    ];
    expect([...answers.map(({ status, body }) => [status, body.Message]), await viewer('a-token-of-the-platform')]).toEqual([
      [403, 'super admins sign in themselves'],
      [403, 'super admins sign in themselves'],
      'dead',
    ]);
  });

  test('has no token, link or code of the time before', async () => {
    const { id, user } = await app.person({ email: 'rising@example.com' });
    const placed = 'a-token-for-a-rising-user';
    await place({ uuid: id, token: placed });
    const { body } = await app.rest('POST', '/v1/sso/refresh_token', app.platform, { payload: { token: placed } });
    const refreshed = body.result.token;
    const { createOneTimeToken } = await app.graphql('mutation { createOneTimeToken { token } }', {}, { user: refreshed });
    const change = 'mutation { updateProfile(input: { email: "platform@example.com" }) { id } }';
    await app.graphql(change, {}, { user: refreshed });
    const before = [await viewer(user), await viewer(refreshed)];
    await promote('rising@example.com');
    app.resources.services.identifier.forget();
    const olt = await app.rest('POST', '/sso_platform/validate_olttoken', app.platform, { payload: createOneTimeToken });
    const link = await app.rest('GET', `/v1/pub/validate_email/${await lastValue(app, 'platform@example.com')}`);
    expect([before, await viewer(user), await viewer(refreshed), olt.status, link.status]).toEqual([
      [id, id],
      'dead',
      'dead',
      401,
      400,
    ]);
  });

  /** What a request answers that comes while somebody becomes a super admin. */
  async function duringPromotion(id: string, request: () => ReturnType<typeof place>) {
    const { answer } = await app.sql.transaction(async () => {
      await app.sql.rows('update app_user set is_super_admin = true where id = $1', [id]);
      const pending = { answer: request() };
      await sleep(300);
      return pending;
    });
    const { status, body } = await answer;
    return [status, body.Message];
  }

  test('is out of the reach of platforms from the moment of becoming one', async () => {
    const [placed, changed] = [await app.person(), await app.person()];
    const token = 'a-token-that-comes-too-late';
    const upsert = { uuid: changed.id, email: 'platform-too@example.com' };
    expect([
      await duringPromotion(placed.id, () => place({ uuid: placed.id, token })),
      await duringPromotion(changed.id, () => app.rest('POST', '/v1/users/upsert', app.platform, { payload: upsert })),
      await viewer(token),
    ]).toEqual([[403, 'super admins sign in themselves'], [403, 'a super admin is changed by nobody else'], 'dead']);
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
