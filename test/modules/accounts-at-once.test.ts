import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { lastCode, lastValue } from '../support/mailbox.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

type Answer = Awaited<ReturnType<TestApp['graphql']>>;

/** What came of requests that were sent at the same moment, in the order of the alphabet. */
const atOnce = async (requests: Promise<Answer>[], done: (answer: Answer) => string = () => 'done'): Promise<string[]> =>
  (await Promise.all(requests)).map((answer) => answer.errors?.[0] ?? done(answer)).toSorted();
const three = (request: () => Promise<Answer>) => [request(), request(), request()];

const wrong = 'BAD_INPUT: the link or code is wrong or was used already';

test('of several who confirm one new address one has it', async () => {
  const people = [await app.person(), await app.person(), await app.person()];
  const values = [];
  for (const { user } of people) {
    await app.graphql('mutation { updateProfile(input: { email: "wanted@example.com", city: "Reno" }) { id } }', {}, { user });
    values.push(await lastValue(app, 'wanted@example.com'));
  }
  const taken = 'CONFLICT: another user has the same email';
  const verify = (value: string) =>
    app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
  expect([await atOnce(values.map(verify)), await atOnce(values.map(verify))]).toEqual([
    [taken, taken, 'done'],
    [wrong, taken, taken],
  ]);
});

test('roles that a user is given all stand', async () => {
  const { id } = await app.person();
  const give = (roleId: string) =>
    app.graphql(`mutation { grantRole(userId: "${id}", roleId: "${roleId}") { id } }`, {}, { user: admin.user });
  await Promise.all(['1', '2', '3', '4', '3'].map(give));
  const row = await app.sql.row<{ roles: string[] }>('select role_ids as roles from app_user where id = $1', [id]);
  expect(row?.roles.toSorted()).toEqual(['1', '2', '3', '4']);
});

test('a key that several revoke ends once', async () => {
  const { id } = await newKey(app);
  const revoke = () => app.graphql(`mutation { revokePublishableKey(id: "${id}") { revokedAt } }`);
  expect(new Set(await atOnce(three(revoke), (answer) => answer.revokePublishableKey.revokedAt)).size).toBe(1);
});

test('a password is reset once by a link, and by a code', async () => {
  await app.person({ email: 'lost@example.com', phone: '+1 512 555 0144' });
  const ask = (channel: string) =>
    app.graphql(`mutation { requestPasswordReset(email: "lost@example.com", channel: ${channel}) { channel } }`);
  const reset = (value: string) => () =>
    app.graphql(
      `mutation { resetPassword(value: "${value}", password: "a new password", email: "lost@example.com") { id } }`,
      {},
      {},
    );
  await ask('EMAIL');
  const byLink = await atOnce(three(reset(await lastValue(app, 'lost@example.com'))));
  await ask('SMS');
  const byCode = await atOnce(three(reset(await lastCode(app, '+15125550144'))));
  expect([byLink, byCode]).toEqual([
    [wrong, wrong, 'done'],
    [wrong, wrong, 'done'],
  ]);
});

test('a password is changed once', async () => {
  const { id, user } = await app.person();
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('the old password')]);
  const change = () =>
    app.graphql(
      'mutation { changePassword(oldPassword: "the old password", newPassword: "a new password") { token } }',
      {},
      { user },
    );
  const answers = await atOnce(three(change));
  expect(answers.filter((answer) => answer !== 'done').length).toBe(2);
});
