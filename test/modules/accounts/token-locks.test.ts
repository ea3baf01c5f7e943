import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockedSessions } from '../../support/checks/blocked-sessions.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('repeated requests cannot delay the grant of a role:', () => {
  /**
   * Returns whether the token of a user is unlocked while a request waits for the lock on the user. Another transaction holds a shared lock
   * on that user.
   */
  async function isTokenUnlockedDuring(id: string, request: () => Promise<unknown>): Promise<boolean> {
    const { isUnlocked, answer } = await app.sql.transaction(async () => {
      await app.sql.rows('select from app_user where id = $1 for share', [id]);
      const pending = { answer: request() };
      await expect.poll(() => blockedSessions(app.sql)).toBeGreaterThan(0);
      const rows = await app.sql.rows('select id from user_token where user_id = $1 for update skip locked', [id]);
      return { ...pending, isUnlocked: rows.length === 1 };
    });
    await answer;
    return isUnlocked;
  }

  const requests: Record<string, (id: string, user: string, email: string) => Promise<unknown>> = {
    'a token refresh': (_, user) => app.graphql('mutation { refreshToken { token } }', {}, { user }),
    'a login': (_id, _user, email) =>
      app.graphql('mutation ($input: LoginInput!) { login(input: $input) { token } }', {
        input: { email, password: 'correct horse' },
      }),
    'a placed token': (id) =>
      app.rest('POST', '/sso_platform/token', app.platform, { payload: { uuid: id, token: 'placed-behind-a-lock' } }),
    'a one-time token': (_, user) => app.graphql('mutation { createOneTimeToken { token } }', {}, { user }),
  };

  test.each(Object.entries(requests))('%s locks the user exclusively', async (name, request) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const { id, user } = await app.person({ email });
    await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
    expect(await isTokenUnlockedDuring(id, () => request(id, user, email))).toBe(true);
  });
});
