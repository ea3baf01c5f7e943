import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { type MediaApp, pending, startMediaApp } from '../modules/media-seeds.js';
import type { Person, Tokens } from '../support/app.js';
import { lastCode, lastValue } from '../support/mailbox.js';

let app: MediaApp;
let ana: Person;
beforeAll(async () => {
  app = await startMediaApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez', email: 'ana@example.com', phone: '+1 512 555 0123' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [ana.id, await hashPassword('the old password')]);
});
afterAll(() => app.close());

const before = { updated_at: '2020-01-01T00:00:00Z', updated_by: 'Before' };

/** What is kept of a row after an operation on it: who changed it, and whether that was now. */
async function kept(table: string, id: string, operation: string, tokens: Tokens): Promise<unknown> {
  await app.sql.rows(`update ${table} set updated_at = $2, updated_by = $3 where id = $1`, [id, ...Object.values(before)]);
  const answer = await app.graphql(operation, {}, tokens);
  const row = await app.sql.row<typeof before>(`select updated_at, updated_by from ${table} where id = $1`, [id]);
  const isNow = Math.abs(Date.parse(row?.updated_at ?? '') - Date.now()) < 60_000;
  return answer.errors ?? `${isNow ? 'now' : row?.updated_at} by ${row?.updated_by}`;
}

const untouched = `${before.updated_at} by ${before.updated_by}`;
const step = (mutation: string, id: string, type = 'USER_IMAGE', more = '') =>
  `mutation { ${mutation}(type: ${type}, id: "${id}"${more}) { state } }`;

test('steps of an approval are changes of the item, unless they change nothing', async () => {
  const id = await app.image(pending());
  const cara = app.tokensOf('confirmer');
  const done = [];
  for (const operation of ['approveItem', 'approveItem', 'unapproveItem', 'unapproveItem'])
    done.push(await kept('user_image', id, step(operation, id), cara));
  done.push(await kept('user_image', id, step('declineItem', id, 'USER_IMAGE', ', reason: "Blurred."'), app.platform));
  expect(done).toEqual(['now by Cara Lopez', untouched, 'now by Cara Lopez', untouched, 'now by Test Platform']);
});

test('so is what becomes of a sponsor when an image of it is another one', async () => {
  const { id, image } = await app.sponsor(app.idOf('creator'));
  const change = `mutation { updateSponsorImage(id: "${image}", input: { url: "https://other" }) { id } }`;
  expect(await kept('sponsor', id, change, app.platform)).toBe('now by Test Platform');
});

test('a new password is a change of the user, by whoever is signed in', async () => {
  const reset = (value: string) =>
    `mutation { resetPassword(value: "${value}", password: "a new password", email: "ana@example.com") { id } }`;
  const ask = (channel: string) =>
    app.graphql(`mutation { requestPasswordReset(email: "ana@example.com", channel: ${channel}) { channel } }`);
  const change = 'mutation { changePassword(oldPassword: "the old password", newPassword: "a new password") { token } }';
  const done = [await kept('app_user', ana.id, change, ana)];
  await ask('EMAIL');
  done.push(await kept('app_user', ana.id, reset(await lastValue(app, 'ana@example.com')), app.platform));
  await ask('SMS');
  done.push(await kept('app_user', ana.id, reset(await lastCode(app, '+15125550123')), {}));
  expect(done).toEqual(['now by Ana Lopez', 'now by Test Platform', 'now by null']);
});

test('so is a new address, once its mail is opened', async () => {
  const eve = await app.person({ firstName: 'Eve' });
  await app.graphql('mutation { updateProfile(input: { email: "eve@new.example" }) { id } }', {}, eve);
  const value = await lastValue(app, 'eve@new.example');
  expect(await kept('app_user', eve.id, `mutation { verifyEmail(value: "${value}") { id } }`, app.platform)).toBe(
    'now by Test Platform',
  );
});

test('who joins and leaves a game changes it', async () => {
  const guest = await app.person({ firstName: 'Gus' });
  const { id } = (await app.graphql('mutation { scheduleGame(input: {}) { id } }', {}, guest)).scheduleGame;
  const done = [];
  for (const operation of ['optIn', 'optIn', 'optOut', 'optOut'])
    done.push(await kept('game', id, `mutation { ${operation}(gameId: "${id}") { id } }`, guest));
  expect(done).toEqual(['now by Gus Lopez', untouched, 'now by Gus Lopez', untouched]);
});

test('a series is changed when a repetition of it is called off', async () => {
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { scheduleGame } = await app.graphql(
    `mutation { scheduleGame(input: { startsAt: "${startsAt}", isRepeated: true, repeats: WEEKLY }) { id repetitions { nodes { id } } } }`,
    {},
    app.tokensOf('player'),
  );
  const [{ id }] = scheduleGame.repetitions.nodes;
  const cancel = `mutation { cancelGame(id: "${id}") { id } }`;
  expect(await kept('game', scheduleGame.id, cancel, app.tokensOf('admin'))).toBe('now by Ana Lopez');
});
