import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MediaApp, pending, startMediaApp } from '../modules/media/seeds.js';
import { lastCode, lastValue } from '../support/clients/mailbox.js';
import { passwordHash } from '../support/fixtures/passwords.js';
import type { Person, Tokens } from '../support/servers/app.js';

let app: MediaApp;
let ana: Person;
beforeAll(async () => {
  app = await startMediaApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez', email: 'ana@example.com', phone: '+1 512 555 0123' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [ana.id, await passwordHash('the old password')]);
});
afterAll(() => app.close());

const before = { updated_at: '2020-01-01T00:00:00Z', updated_by: 'Before' };

/** Runs an operation. Returns the last change of a row, such as `now by Ana Lopez`, or the errors of the operation. */
async function lastChange(table: string, id: string, operation: string, tokens: Tokens): Promise<unknown> {
  await app.sql.rows(`update ${table} set updated_at = $2, updated_by = $3 where id = $1`, [id, ...Object.values(before)]);
  const answer = await app.graphql(operation, {}, tokens);
  const row = await app.sql.row<typeof before>(`select updated_at, updated_by from ${table} where id = $1`, [id]);
  const isNow = Math.abs(Date.parse(row?.updated_at ?? '') - Date.now()) < 60_000;
  return answer.errors ?? `${isNow ? 'now' : row?.updated_at} by ${row?.updated_by}`;
}

const unchanged = `${before.updated_at} by ${before.updated_by}`;

test('an approval changes its item, unless it has no effect', async () => {
  const id = await app.image(pending());
  const cara = app.tokensOf('confirmer');
  const afterApproval = (mutation: string, tokens: Tokens, reason = '') =>
    lastChange('user_image', id, `mutation { ${mutation}(type: USER_IMAGE, id: "${id}"${reason}) { state } }`, tokens);
  expect({
    approve: await afterApproval('approveItem', cara),
    approveAgain: await afterApproval('approveItem', cara),
    unapprove: await afterApproval('unapproveItem', cara),
    unapproveAgain: await afterApproval('unapproveItem', cara),
    decline: await afterApproval('declineItem', app.platform, ', reason: "Blurred."'),
  }).toEqual({
    approve: 'now by Cara Lopez',
    approveAgain: unchanged,
    unapprove: 'now by Cara Lopez',
    unapproveAgain: ['CONFLICT: the caller has not approved the item'],
    decline: 'now by Test Platform',
  });
});

test('an update of a sponsor image changes its sponsor', async () => {
  const { id, image } = await app.sponsor(app.idOf('creator'));
  const update = `mutation { updateSponsorImage(id: "${image}", input: { url: "https://other" }) { id } }`;
  expect(await lastChange('sponsor', id, update, app.platform)).toBe('now by Test Platform');
});

test('a new password changes the user, in the name of the caller', async () => {
  const requestReset = (channel: string) =>
    app.graphql(`mutation { requestPasswordReset(email: "ana@example.com", channel: ${channel}) { channel } }`);
  const afterReset = (value: string, tokens: Tokens) => {
    const reset = `mutation { resetPassword(value: "${value}", password: "a new password", email: "ana@example.com") { id } }`;
    return lastChange('app_user', ana.id, reset, tokens);
  };
  const change = 'mutation { changePassword(oldPassword: "the old password", newPassword: "a new password") { token } }';
  const changeByUser = await lastChange('app_user', ana.id, change, ana);
  await requestReset('EMAIL');
  const resetByPlatform = await afterReset(await lastValue(app, 'ana@example.com'), app.platform);
  await requestReset('SMS');
  const resetByAnonymous = await afterReset(await lastCode(app, '+15125550123'), {});
  expect({ changeByUser, resetByPlatform, resetByAnonymous }).toEqual({
    changeByUser: 'now by Ana Lopez',
    resetByPlatform: 'now by Test Platform',
    resetByAnonymous: 'now by null',
  });
});

test('the verification of a new email changes the user', async () => {
  const eve = await app.person({ firstName: 'Eve' });
  await app.graphql('mutation { updateProfile(input: { email: "eve@new.example" }) { id } }', {}, eve);
  const value = await lastValue(app, 'eve@new.example');
  expect(await lastChange('app_user', eve.id, `mutation { verifyEmail(value: "${value}") { id } }`, app.platform)).toBe(
    'now by Test Platform',
  );
});

test('a player who joins or leaves a game changes it, but is not shown as its editor', async () => {
  const guest = await app.person({ firstName: 'Gus' });
  const { id } = (await app.graphql('mutation { scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z" }) { id } }', {}, guest))
    .scheduleGame;
  const after = (mutation: string) => lastChange('game', id, `mutation { ${mutation}(gameId: "${id}") { id } }`, guest);
  expect({
    optIn: await after('optIn'),
    optInAgain: await after('optIn'),
    optOut: await after('optOut'),
    optOutAgain: await after('optOut'),
  }).toEqual({
    optIn: 'now by Before',
    optInAgain: unchanged,
    optOut: 'now by Before',
    optOutAgain: unchanged,
  });
});

test('a canceled repetition changes its series', async () => {
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { scheduleGame } = await app.graphql(
    `mutation { scheduleGame(input: { startsAt: "${startsAt}", isRepeated: true, repeats: WEEKLY }) { id repetitions { nodes { id } } } }`,
    {},
    app.tokensOf('player'),
  );
  const [{ id }] = scheduleGame.repetitions.nodes;
  const cancel = `mutation { cancelGame(id: "${id}") { id } }`;
  expect(await lastChange('game', scheduleGame.id, cancel, app.tokensOf('admin'))).toBe('now by Ana Lopez');
});
