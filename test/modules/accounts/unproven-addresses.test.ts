import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastValue } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

describe('roles of a user with an e-mail address that a platform set', () => {
  const grant = async (userId: string, email: string | null, roleId = '2') => {
    const answer = await app.graphql(
      'mutation ($userId: ID!, $roleId: ID!, $email: String) { grantRole(userId: $userId, roleId: $roleId, email: $email) { roles { title } } }',
      { userId, roleId, email },
      { user: admin.user },
    );
    return answer.errors?.[0] ?? answer.grantRole.roles.length;
  };
  const move = (id: string, email: string) =>
    app.graphql(`mutation { upsertUser(input: { id: "${id}", email: "${email}" }) { id } }`);
  const viewer = async (user: string) => (await app.graphql('{ viewer { id } }', {}, { user })).viewer?.id ?? 'rejected';
  const conflict =
    'CONFLICT: email: the user has not confirmed the e-mail address: ask the user for their address and send it as `email`';

  test('are granted only with this address, except the role USER', async () => {
    const { id } = await app.person({ email: 'moved@example.com' });
    await move(id, 'moved-by-platform@example.com');
    expect({
      user: await grant(id, null, '3'),
      missing: await grant(id, null),
      empty: await grant(id, ''),
      earlier: await grant(id, 'moved@example.com'),
      current: await grant(id, 'Moved-By-Platform@Example.com'),
      again: await grant(id, null),
    }).toEqual({ user: 1, missing: conflict, empty: conflict, earlier: conflict, current: 5, again: 5 });
  });

  test('are granted without an address if the platform repeated it or changed other fields', async () => {
    const { id } = await app.person({ email: 'same@example.com' });
    await move(id, 'Same@example.com');
    await app.graphql(`mutation { upsertUser(input: { id: "${id}", city: "Austin" }) { id } }`);
    expect(await grant(id, null)).toBe(5);
  });

  test('need the address even if the user had none before', async () => {
    const { id } = await app.person();
    await move(id, 'first-address@example.com');
    expect(await grant(id, null)).toBe(conflict);
  });

  const createUser = async (email: string | null): Promise<string> =>
    (await app.rest('POST', '/v1/users/upsert', app.platform, { payload: { email } })).body.result.uuid;

  test('need the address of a user whom a platform created', async () => {
    const id = await createUser('created@example.com');
    expect({
      user: await grant(id, null, '3'),
      missing: await grant(id, null),
      confirmed: await grant(id, 'created@example.com'),
      withoutAddress: await grant(await createUser(null), null),
    }).toEqual({ user: 1, missing: conflict, confirmed: 5, withoutAddress: 5 });
  });

  test('need no address once a user whom a platform created has opened a mailed link', async () => {
    const id = await createUser('claimed@example.com');
    await app.graphql('mutation { requestPasswordReset(email: "claimed@example.com") { channel } }');
    const value = await lastValue(app, 'claimed@example.com');
    await app.graphql(`mutation { resetPassword(value: "${value}", password: "correct horse") { id } }`);
    expect(await grant(id, null)).toBe(5);
  });

  test('need the address again once a platform changes one that was never proven', async () => {
    const id = await createUser('first-choice@example.com');
    await move(id, 'second-choice@example.com');
    await app.graphql('mutation { requestPasswordReset(email: "second-choice@example.com") { channel } }');
    const value = await lastValue(app, 'second-choice@example.com');
    await app.graphql(`mutation { resetPassword(value: "${value}", password: "correct horse") { id } }`);
    expect(await grant(id, null)).toBe(conflict);
  });

  test('end all tokens and links of the user', async () => {
    const { id, user } = await app.person({ email: 'taken@example.com' });
    await move(id, 'mailbox@example.com');
    await app.graphql('mutation { requestPasswordReset(email: "mailbox@example.com") { channel } }');
    await grant(id, 'mailbox@example.com');
    const value = await lastValue(app, 'mailbox@example.com');
    const reset = await app.graphql(`mutation { resetPassword(value: "${value}", password: "chosen by a platform") { id } }`);
    expect({ token: await viewer(user), reset }).toEqual({
      token: 'rejected',
      reset: { errors: ['BAD_INPUT: the link or code is wrong or was used already'] },
    });
  });

  /** Changes a user's email address with the user's token and verifies it with the mailed link. */
  async function changeAddress(user: string, email: string) {
    await app.graphql(`mutation { updateProfile(input: { email: "${email}" }) { id } }`, {}, { user });
    await app.graphql(`mutation { verifyEmail(value: "${await lastValue(app, email)}") { id } }`);
  }

  test('need the address after a later change in a session, which may be one of the platform', async () => {
    const { id, user } = await app.person({ email: 'later@example.com' });
    await move(id, 'later-by-platform@example.com');
    await changeAddress(user, 'later-in-session@example.com');
    expect(await grant(id, null)).toBe(conflict);
  });

  test('need the address after a change in a session of the platform, but not after one in a session of the user', async () => {
    const [platform, own] = [await app.person({ email: 'placed@example.com' }), await app.person({ email: 'own@example.com' })];
    await app.rest('POST', '/sso_platform/token', app.platform, {
      payload: { uuid: platform.id, token: 'a-token-of-a-platform' },
    });
    await changeAddress('a-token-of-a-platform', 'placed-mailbox@example.com');
    await changeAddress(own.user, 'own-mailbox@example.com');
    expect({ platform: await grant(platform.id, null), own: await grant(own.id, null) }).toEqual({
      platform: conflict,
      own: 5,
    });
  });
});
