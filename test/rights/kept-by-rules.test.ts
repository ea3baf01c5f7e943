import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MediaApp, pending, startMediaApp } from '../modules/media-seeds.js';
import type { Tokens } from '../support/app.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
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
