import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let owner: Person;
let viewer: Person;

/** Games and their titles. A title describes its game, and starts with the letter that identifies it. */
const games: readonly (readonly [title: string, values: object])[] = [
  ['a singles of women', { gameTypeSingles: true, genderF: true, skillFrom: 3, skillTo: 4, startTime: '2041-01-01T10:00:00Z' }],
  ['b doubles of men', { gameTypeDoubles: true, genderM: true, skillFrom: 4, skillTo: 5, startTime: '2041-01-02T10:00:00Z' }],
  ['c drills of anybody', { gameTypeDrills: true, genderAny: true, skillNotUsed: true, date: '2041-01-03T00:00:00Z' }],
  ['d skinny of women', { gameTypeSkinny: true, genderF: true, skillFrom: 4.5, courtLocationUuid: 'court' }],
  ['e private, invited', { gameTypeAny: true, isInviteOnly: true, skillTo: 2 }],
  ['f private of others', { isInviteOnly: true }],
];

beforeAll(async () => {
  app = await startApp();
  owner = await app.person();
  viewer = await app.person();
  const ids = new Map<string, string>();
  for (const [title, values] of games) {
    const invitePlayersUuids = title.endsWith('invited') ? [viewer.id] : [];
    const { body } = await app.rest('POST', '/v1/game_scheduler', owner, { payload: { title, invitePlayersUuids, ...values } });
    ids.set(title[0] ?? '', body.result.uuid);
  }
  const mark =
    'mutation ($game: ID!) { a: addFavorite(kind: GAME, subjectId: $game) { id } b: addFavorite(kind: COURT, subjectId: "court") { id } }';
  await app.graphql(mark, { game: ids.get('b') }, viewer);
});
afterAll(() => app.close());

/** Returns the first letters of the titles of the games that a query returns, sorted. */
async function lettersOf(query: string, tokens: Tokens = viewer): Promise<string> {
  const { body } = await app.rest('GET', `/v1/data/game_scheduler?${query}`, tokens);
  const letters = body.results.map(({ title }: { title: string }) => title[0]).toSorted();
  return body.totalRecords === String(letters.length) ? letters.join('') : `${body.totalRecords} of ${letters}`;
}

describe('visible games', () => {
  test.each([
    ['their owner', () => owner, 'abcdef'],
    ['a user', () => viewer, 'abcde'],
    ['a platform', () => app.platform, 'abcd'],
    ['a platform for a user', () => ({ ...app.platform, user: viewer.user }), 'abcde'],
  ])('of %s', async (_, tokens, letters) => expect(await lettersOf('', tokens())).toBe(letters));
});

describe('filters', () => {
  test.each([
    ['public=true', 'abcd'],
    ['private=1', 'e'],
    ['public=true&private=true', 'abcde'],
    ['public=false', 'abcde'],
    ['favorite=true', 'b'],
    ['court_favorite=true', 'd'],
    ['game_type_singles=true', 'a'],
    ['game_type_singles=true&game_type_doubles=true&game_type_any=true', 'abe'],
    ['gender_f=true', 'ad'],
    ['gender_f=true&gender_any=TRUE', 'acd'],
    ['game_type_singles=true&game_type_drills=true&gender_f=true', 'a'],
    ['ratings=3.5', 'ac'],
    ['ratings=3.5,5', 'abcd'],
    ['ratings=1', 'ce'],
    ['date_start=2041-01-02T00:00:00Z', 'bc'],
    ['date_end=2041-01-02T00:00:00Z', 'a'],
    ['date_start=2240697600&date_end=2240870400', 'bc'],
    ['date_start=2041-01-02&date_end=2041-01-02', 'b'],
    ['date_start=2041-01-02T12:00:00+02:00&date_end=2041-01-02T12:00:00%2B02:00', 'b'],
    ['date_start=2041-01-02T12:00:01+02:00', 'c'],
    ['retrieve_all=true', 'abcde'],
  ])('%s returns %s', async (query, letters) => expect(await lettersOf(query)).toBe(letters));

  test.each([
    ['that is the court', 'court'],
    ['with a league at the court', 'club-of-court'],
  ])('court_favorite returns games at the courts of a favorite club %s', async (_, club) => {
    await app.rest('POST', '/v1/leagues/upsert', app.platform, {
      payload: { leagueId: 'league-at-court', clubId: 'club-of-court', locationId: 'court' },
    });
    const fan = await app.person();
    const before = await lettersOf('court_favorite=true', fan);
    const favorite = { module_for: 'Clubs', module_uuid: club };
    await app.rest('POST', `/v1/users/${fan.id}/favorites`, fan, favorite);
    expect({
      before,
      after: await lettersOf('court_favorite=true', fan),
      favorite: await lettersOf('favorite=true', fan),
    }).toEqual({ before: '', after: 'd', favorite: '' });
  });

  test.each([
    ['{ has: 3.5 }', 'ac'],
    ['{ hasAny: [3.5, 5] }', 'abcd'],
    ['{ has: 3.5, hasAny: [1] }', 'c'],
  ])('GraphQL filters games by ratings: %s', async (ratings, letters) => {
    const { games } = await app.graphql(
      `{ games(filter: { ratings: ${ratings} }, orderBy: [{ field: TITLE }]) { nodes { title } } }`,
    );
    expect(games.nodes.map(({ title }: { title: string }) => title[0]).join('')).toBe(letters);
  });

  test('current_page is the offset of a page', async () => {
    const letters = async (query: string) =>
      (await app.rest('GET', `/v1/data/game_scheduler?${query}`, viewer)).body.results.map(
        ({ title }: { title: string }) => title[0],
      );
    expect({
      firstPage: await letters('page_size=2'),
      pageAtOffset2: await letters('page_size=2&current_page=2'),
    }).toEqual({ firstPage: ['e', 'd'], pageAtOffset2: ['c', 'b'] });
  });
});

test('player counts accept fractions and text', async () => {
  const payload = { ownerUuid: 'somebody', minimumCount: 1.5, maximumCount: '4.25', totalPlayers: 3 };
  const { body } = await app.rest('POST', '/v1/game_scheduler', app.platform, { payload });
  expect(body.result).toMatchObject({ minimumCount: 1.5, maximumCount: 4.25, totalPlayers: 3 });
});

test('the list has the group of a game and whether the viewer is on its waiting list', async () => {
  await app.graphql(
    'mutation { upsertGameGroup(input: { id: "g1", title: "Early Birds", minSkill: 3.5, showsAdmins: true }) { id } }',
    {},
    owner,
  );
  const payload = {
    title: 'g grouped',
    groupUuid: 'g1',
    maximumCount: 1,
    useWaitingList: true,
    optedInPlayerUuids: ['somebody'],
    repeats: 3,
  };
  const { body } = await app.rest('POST', '/v1/game_scheduler', owner, { payload });
  const { uuid } = body.result;
  await app.graphql(`mutation { optIn(gameId: "${uuid}") { id } }`, {}, viewer);
  const list = await app.rest('GET', '/v1/data/game_scheduler?page_size=1', viewer);
  const { optedInCount, waitlistCount, isUserOnWaitlist, optedInPlayersUuids, repeats, groupInfo } = list.body.results[0];
  expect({ optedInCount, waitlistCount, isUserOnWaitlist, optedInPlayersUuids, repeats, groupInfo }).toEqual({
    optedInCount: 1,
    waitlistCount: 1,
    isUserOnWaitlist: true,
    optedInPlayersUuids: ['somebody'],
    repeats: 'MONTHLY_REPEAT_TYPE',
    groupInfo: {
      uuid: 'g1',
      name: 'Early Birds',
      minSkill: 3.5,
      maxSkill: 0,
      picture: '',
      description: '',
      privateGroup: false,
      allowPlayerInvites: false,
      displayAdminInfo: true,
      ownerUuid: owner.id,
    },
  });
});

test('the list takes the same number of statements for any number of games', async () => {
  const statements = (size: number) =>
    statementsOf(app, () => app.rest('GET', `/v1/data/game_scheduler?page_size=${size}`, viewer));
  expect(await statements(1)).toBe(await statements(100));
});

test.each([
  ['{"repeats":4}', 'payload.repeats'],
  ['{"startTime":"tomorrow"}', 'payload.startTime'],
  ['{"maximumCount":"many"}', 'payload.maximumCount'],
  ['{"isInviteOnly":"yes"}', 'payload.isInviteOnly'],
  ['{"optedInPlayerUuids":"me"}', 'payload.optedInPlayerUuids'],
])('%s is rejected with the name of its field', async (payload, field) => {
  const { status, body } = await app.rest('POST', '/v1/game_scheduler', owner, `{"payload":${payload}}`);
  expect({ status, field: body.Message.split(':')[0] }).toEqual({ status: 400, field });
});
