import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let ana: Person;
let bo: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  bo = await app.person();
  await app.graphql('mutation { createNewsItem(input: { id: "n1", title: "News" }) { id } }');
});
afterAll(() => app.close());

const like = (action: string | number, tokens: Tokens, more = '') =>
  app.rest('POST', `/v1/like_system/news/n1/${action}${more}`, { ...app.platform, ...tokens });
const kindOf = async (user: string) =>
  (await app.rest('GET', `/v1/users/${user}/like_system/news/n1`, app.platform)).body.reaction_type_id;

test.each([
  ['1', 'LIKE'],
  ['3', 'FUNNY'],
  ['4', 'FIRE'],
  ['5', 'WOW'],
  ['6', 'HEART'],
  ['7', 'CELEBRATE'],
  ['100', 'DISLIKE'],
  ['101', 'SAD'],
  ['102', 'ANGRY'],
  ['103', 'CONFUSED'],
  ['INTERESTING_REACTION_TYPE', 'INTERESTING'],
  ['heart_reaction_type', 'HEART'],
  ['2', 'UNDEFINED'],
  ['UNLIKE_REACTION_TYPE', 'UNDEFINED'],
  ['99', 'UNDEFINED'],
])('the action %s means %s', async (action, kind) => {
  await like(action, ana);
  expect(await kindOf(ana.id)).toBe(`${kind}_REACTION_TYPE`);
});

test.each(['0', '8', 'love', 'UNDEFINED_REACTION_TYPE'])('the action %s is 400', async (action) => {
  const { status, body } = await like(action, ana);
  expect([status, body.Message.slice(0, 23)]).toEqual([400, 'action: expected one of']);
});

test('the user of the token reacts, whoever is named beside it', async () => {
  await like('4', bo, '?user_uuid=somebody');
  expect([await kindOf(bo.id), await kindOf('somebody')]).toEqual(['FIRE_REACTION_TYPE', 'UNDEFINED_REACTION_TYPE']);
});

test('many reactions are listed whole, and counted', async () => {
  await app.graphql('mutation { createNewsItem(input: { id: "many", title: "Many" }) { id } }');
  await app.sql.rows(
    `insert into reaction (id, user_id, news_item_id, kind) select 'm' || i, 'fan' || i, 'many', case when i % 5 = 0 then 'SAD' else 'LIKE' end from generate_series(1, 250) i`,
  );
  const answers = await Promise.all(
    ['', '?reaction_type=1', '?reaction_type=SAD_REACTION_TYPE'].map(async (query) => {
      const { body } = await app.rest('GET', `/v1/data/like_system/news/many${query}`, app.platform);
      const { like_reactions, sad_reactions } = body.reactions;
      return [Object.keys(body), body.total_records, body.results.length, like_reactions, sad_reactions];
    }),
  );
  const keys = ['total_records', 'results', 'reactions'];
  expect(answers).toEqual([
    [keys, '250', 250, 200, 50],
    [keys, '200', 200, 200, 0],
    [keys, '50', 50, 0, 50],
  ]);
});

describe('favorites', () => {
  test('a platform reads those of anybody, also beside the token of a user', async () => {
    await app.rest('POST', `/v1/users/${ana.id}/favorites`, ana, { module_for: 'Clubs', module_uuid: 'c1' });
    await app.graphql('mutation { addFavorite(kind: COURT, subjectId: "court") { id } }', {}, ana);
    const read = (tokens: Tokens) => app.rest('GET', `/v1/users/${ana.id}/favorites`, tokens);
    const answers = await Promise.all([ana, app.platform, { ...app.platform, user: bo.user }, { user: bo.user }].map(read));
    expect(answers.map(({ status, body }) => [status, body.totalRecords])).toEqual([
      [200, '1'],
      [200, '1'],
      [200, '1'],
      [403, undefined],
    ]);
  });
});

describe('notifications', () => {
  test('read ones leave the list', async () => {
    await app.graphql(`mutation { sendLeagueMessage(userIds: ["${ana.id}", "${bo.id}"], text: "Hello") { recipients } }`);
    const path = `/v1/users/${ana.id}/push_notifications`;
    const read = async () => (await app.rest('GET', path, ana)).body;
    const before = await read();
    await app.rest('PATCH', `${path}/${before.notifications[0].id}/read`, ana);
    expect([before.total_notifications, await read()]).toEqual(['1', { notifications: [], total_notifications: '0' }]);
  });
});
