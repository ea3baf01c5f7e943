import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = (path: string, payload: object) => app.rest('POST', path, app.platform, { payload });

test('an id comes before a slug, and slugs are for platforms', async () => {
  const user = await app.person();
  await post('/v1/leagues', { leagueId: 'winter-league', leagueTitle: 'One' });
  await post('/v1/leagues', { leagueId: 'two', leagueTitle: 'Winter League' });
  await post('/v1/leagues', { leagueId: 'three', leagueTitle: 'Summer League' });
  const read = async (path: string, tokens: object) => {
    const { status, body } = await app.rest('GET', `/v1/data/leagues/${path}`, tokens);
    return status === 200 ? (body.leagueId ?? body.league_id) : status;
  };
  expect([
    await read('winter-league', app.platform),
    await read('winter-league-2', app.platform),
    await read('summer-league', app.platform),
    await read('summer-league', user),
    await read('three', user),
    await read('three', {}),
  ]).toEqual(['winter-league', 404, 'three', 404, 'three', 401]);
});

test('a league without a title has a slug as well', async () => {
  await post('/v1/leagues', { leagueId: 'untitled' });
  expect((await app.rest('GET', '/v1/data/leagues/league', app.platform)).body.league_id).toBe('untitled');
});

test('a league whose id is taken is not created twice', async () => {
  await post('/v1/leagues', { leagueId: 'taken' });
  expect((await post('/v1/leagues', { leagueId: 'taken' })).status).toBe(409);
});

test('deleting a league that is not there is 404', async () => {
  expect((await app.rest('DELETE', '/v1/leagues?uuid=nobody', app.platform)).status).toBe(404);
});

test.each(['/v1/clubs_flat_data_search/upsert', '/v1/leagues_flat_data_search/upsert'])(
  '%s takes the record with the same title, to the letter, where no uuid is sent',
  async (path) => {
    const uuidOf = async (payload: object) => (await post(path, payload)).body.result.uuid;
    const [first, other] = [await uuidOf({ title: 'Austin' }), await uuidOf({ title: 'austin' })];
    expect([
      await uuidOf({ title: 'Austin', contactFormOther: 'Ask' }),
      await uuidOf({ uuid: 'own', title: 'Austin' }),
      await uuidOf({ title: 'Austin' }),
      await uuidOf({ title: 'austin' }),
      new Set([await uuidOf({}), await uuidOf({})]).size,
    ]).toEqual([first, 'own', first, other, 2]);
  },
);
