import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

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

const react = (action: string | number, tokens: Tokens, query = '') =>
  app.rest('POST', `/v1/like_system/news/n1/${action}${query}`, { ...app.platform, ...tokens });
const reactionOf = async (user: string) =>
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
])('the action %s sets the reaction %s', async (action, kind) => {
  await react(action, ana);
  expect(await reactionOf(ana.id)).toBe(`${kind}_REACTION_TYPE`);
});

test.each(['0', '8', 'love', 'UNDEFINED_REACTION_TYPE'])('rejects the action %s', async (action) => {
  const { status, body } = await react(action, ana);
  expect({ status, message: body.Message.slice(0, 23) }).toEqual({ status: 400, message: 'action: expected one of' });
});

test('a reaction belongs to the user of the token, not to the user_uuid of the query', async () => {
  await react('4', bo, '?user_uuid=somebody');
  expect({ tokenUser: await reactionOf(bo.id), queryUser: await reactionOf('somebody') }).toEqual({
    tokenUser: 'FIRE_REACTION_TYPE',
    queryUser: 'UNDEFINED_REACTION_TYPE',
  });
});

test('the list of reactions is complete, counted, and filtered by reaction type', async () => {
  await app.graphql('mutation { createNewsItem(input: { id: "many", title: "Many" }) { id } }');
  await app.sql.rows(
    `insert into reaction (id, user_id, news_item_id, kind) select 'm' || i, 'fan' || i, 'many', case when i % 5 = 0 then 'SAD' else 'LIKE' end from generate_series(1, 250) i`,
  );
  const list = async (query: string) => {
    const { body } = await app.rest('GET', `/v1/data/like_system/news/many${query}`, app.platform);
    const { like_reactions, sad_reactions } = body.reactions;
    return { keys: Object.keys(body), total: body.total_records, results: body.results.length, like_reactions, sad_reactions };
  };
  const keys = ['total_records', 'results', 'reactions'];
  expect({
    all: await list(''),
    likes: await list('?reaction_type=1'),
    sad: await list('?reaction_type=SAD_REACTION_TYPE'),
  }).toEqual({
    all: { keys, total: '250', results: 250, like_reactions: 200, sad_reactions: 50 },
    likes: { keys, total: '200', results: 200, like_reactions: 200, sad_reactions: 0 },
    sad: { keys, total: '50', results: 50, like_reactions: 0, sad_reactions: 50 },
  });
});

describe('favorites', () => {
  test('a platform token reads the favorites of any user, with or without a user token', async () => {
    await app.rest('POST', `/v1/users/${ana.id}/favorites`, ana, { module_for: 'Clubs', module_uuid: 'c1' });
    await app.graphql('mutation { addFavorite(kind: COURT, subjectId: "court") { id } }', {}, ana);
    const read = async (tokens: Tokens) => {
      const { status, body } = await app.rest('GET', `/v1/users/${ana.id}/favorites`, tokens);
      return { status, total: body.totalRecords };
    };
    expect({
      owner: await read(ana),
      platform: await read(app.platform),
      platformWithOtherUser: await read({ ...app.platform, user: bo.user }),
      otherUser: await read({ user: bo.user }),
    }).toEqual({
      owner: { status: 200, total: '1' },
      platform: { status: 200, total: '1' },
      platformWithOtherUser: { status: 200, total: '1' },
      otherUser: { status: 403, total: undefined },
    });
  });
});

describe('notifications', () => {
  test('a notification marked as read is no longer listed', async () => {
    await app.graphql(`mutation { sendLeagueMessage(userIds: ["${ana.id}", "${bo.id}"], text: "Hello") { recipients } }`);
    const path = `/v1/users/${ana.id}/push_notifications`;
    const read = async () => (await app.rest('GET', path, ana)).body;
    const before = await read();
    await app.rest('PATCH', `${path}/${before.notifications[0].id}/read`, ana);
    expect({ totalBefore: before.total_notifications, after: await read() }).toEqual({
      totalBefore: '1',
      after: { notifications: [], total_notifications: '0' },
    });
  });
});
