import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = (path: string, payload: object) => app.rest('POST', path, app.platform, { payload });

test('a league is read by its ID, or by its slug with a platform token; the ID takes precedence', async () => {
  const user = await app.person();
  await post('/v1/leagues', { leagueId: 'winter-league', leagueTitle: 'One' });
  await post('/v1/leagues', { leagueId: 'two', leagueTitle: 'Winter League' });
  await post('/v1/leagues', { leagueId: 'three', leagueTitle: 'Summer League' });
  const read = async (path: string, tokens: object) => {
    const { status, body } = await app.rest('GET', `/v1/data/leagues/${path}`, tokens);
    return status === 200 ? (body.leagueId ?? body.league_id) : status;
  };
  expect({
    platformByIdThatIsAlsoASlug: await read('winter-league', app.platform),
    platformByUnknownSlug: await read('winter-league-2', app.platform),
    platformBySlug: await read('summer-league', app.platform),
    userBySlug: await read('summer-league', user),
    userById: await read('three', user),
    anonymousById: await read('three', {}),
  }).toEqual({
    platformByIdThatIsAlsoASlug: 'winter-league',
    platformByUnknownSlug: 404,
    platformBySlug: 'three',
    userBySlug: 404,
    userById: 'three',
    anonymousById: 401,
  });
});

test('a league without a title has a slug', async () => {
  await post('/v1/leagues', { leagueId: 'untitled' });
  expect((await app.rest('GET', '/v1/data/leagues/league', app.platform)).body.league_id).toBe('untitled');
});

test('rejects a second league with the same ID', async () => {
  await post('/v1/leagues', { leagueId: 'taken' });
  expect((await post('/v1/leagues', { leagueId: 'taken' })).status).toBe(409);
});

test('deleting an unknown league returns 404', async () => {
  expect((await app.rest('DELETE', '/v1/leagues?uuid=nobody', app.platform)).status).toBe(404);
});

test.each(['/v1/clubs_flat_data_search/upsert', '/v1/leagues_flat_data_search/upsert'])(
  '%s without a uuid updates the record with exactly the same title',
  async (path) => {
    const uuidOf = async (payload: object) => (await post(path, payload)).body.result.uuid;
    const [capitalized, lowerCase] = [await uuidOf({ title: 'Austin' }), await uuidOf({ title: 'austin' })];
    expect({
      update: await uuidOf({ title: 'Austin', contactFormOther: 'Ask' }),
      ownUuid: await uuidOf({ uuid: 'own', title: 'Austin' }),
      capitalized: await uuidOf({ title: 'Austin' }),
      lowerCase: await uuidOf({ title: 'austin' }),
      distinctUntitled: new Set([await uuidOf({}), await uuidOf({})]).size,
    }).toEqual({ update: capitalized, ownUuid: 'own', capitalized, lowerCase, distinctUntitled: 2 });
  },
);
