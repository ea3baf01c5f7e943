import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastCode, lastValue } from '../../support/clients/mailbox.js';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

type Answer = Awaited<ReturnType<TestApp['graphql']>>;

/**
 * Returns the sorted outcomes of concurrent requests: the first error of each request, or the outcome that `outcomeOf` reads from its data.
 */
const outcomes = async (requests: Promise<Answer>[], outcomeOf: (answer: Answer) => string = () => 'done'): Promise<string[]> =>
  (await Promise.all(requests)).map((answer) => answer.errors?.[0] ?? outcomeOf(answer)).toSorted();
const threeTimes = (send: () => Promise<Answer>) => [send(), send(), send()];

const wrongValue = 'BAD_INPUT: the link or code is wrong or was used already';

test('one of several users who confirm the same new address gets it', async () => {
  const people = [await app.person(), await app.person(), await app.person()];
  const values: string[] = [];
  for (const { user } of people) {
    await app.graphql('mutation { updateProfile(input: { email: "wanted@example.com", city: "Reno" }) { id } }', {}, { user });
    values.push(await lastValue(app, 'wanted@example.com'));
  }
  const emailConflict = 'CONFLICT: another user has the same email';
  const verify = (value: string) =>
    app.graphql('mutation ($value: String!) { verifyEmail(value: $value) { id } }', { value }, {});
  const verifyAll = () => outcomes(values.map(verify));
  expect({ firstRound: await verifyAll(), secondRound: await verifyAll() }).toEqual({
    firstRound: [emailConflict, emailConflict, 'done'],
    secondRound: [wrongValue, emailConflict, emailConflict],
  });
});

test('concurrent role grants are all stored', async () => {
  const { id } = await app.person();
  const grant = (roleId: string) =>
    app.graphql(`mutation { grantRole(userId: "${id}", roleId: "${roleId}") { id } }`, {}, { user: admin.user });
  await Promise.all(['1', '2', '3', '4', '3'].map(grant));
  const row = await app.sql.row<{ roles: string[] }>('select role_ids as roles from app_user where id = $1', [id]);
  expect(row?.roles.toSorted()).toEqual(['1', '2', '3', '4']);
});

test('concurrent revocations of a key return the same time', async () => {
  const { id } = await newKey(app);
  const revoke = () => app.graphql(`mutation { revokePublishableKey(id: "${id}") { revokedAt } }`);
  expect(new Set(await outcomes(threeTimes(revoke), (answer) => answer.revokePublishableKey.revokedAt)).size).toBe(1);
});

describe('one of three concurrent password resets succeeds', () => {
  beforeAll(async () => {
    await app.person({ email: 'lost@example.com', phone: '+1 512 555 0144' });
  });
  const request = (channel: string) =>
    app.graphql(`mutation { requestPasswordReset(email: "lost@example.com", channel: ${channel}) { channel } }`);
  const reset = (value: string) => () =>
    app.graphql(
      `mutation { resetPassword(value: "${value}", password: "a new password", email: "lost@example.com") { id } }`,
      {},
      {},
    );

  test('with a link', async () => {
    await request('EMAIL');
    const answers = await outcomes(threeTimes(reset(await lastValue(app, 'lost@example.com'))));
    expect(answers).toEqual([wrongValue, wrongValue, 'done']);
  });

  test('with a code', async () => {
    await request('SMS');
    const answers = await outcomes(threeTimes(reset(await lastCode(app, '+15125550144'))));
    expect(answers).toEqual([wrongValue, wrongValue, 'done']);
  });
});

test('one of three concurrent password changes succeeds', async () => {
  const { id, user } = await app.person();
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('the old password')]);
  const change = () =>
    app.graphql(
      'mutation { changePassword(oldPassword: "the old password", newPassword: "a new password") { token } }',
      {},
      { user },
    );
  const answers = await outcomes(threeTimes(change));
  expect(answers.filter((answer) => answer !== 'done').length).toBe(2);
});
