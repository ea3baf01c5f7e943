import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
const ids = Array.from({ length: 130 }, (_, index) => `"p, ${(index * 37) % 130}\\`);
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('insert into app_user (id, first_name) select id, id from unnest($1::text[]) id', [ids]);
  for (const id of ['many', 'other'])
    await app.sql.rows('insert into game (id, title, player_ids) values ($1, $1, $2)', [id, ['nobody', ...ids]]);
});
afterAll(() => app.close());

interface Players {
  nodes: { id: string }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string; startCursor: string };
}
const players = async (page: string, game = 'many'): Promise<Players> =>
  (
    await app.graphql(
      `{ game(id: "${game}") { players(${page}) { nodes { id } totalCount pageInfo { hasNextPage startCursor endCursor } } } }`,
    )
  ).game.players;
const idsOf = ({ nodes }: Players) => nodes.map(({ id }) => id);

test('players are paginated in the order in which they joined, without unknown users', async () => {
  const first = await players('first: 100');
  const rest = await players(`first: 100, after: "${first.pageInfo.endCursor}"`);
  expect({
    ids: [...idsOf(first), ...idsOf(rest)],
    totalCount: first.totalCount,
    hasNextPage: rest.pageInfo.hasNextPage,
  }).toEqual({ ids, totalCount: 130, hasNextPage: false });
});

test('players can be filtered and ordered', async () => {
  const page = await players('first: 2, filter: { firstName: { contains: "99" } }, orderBy: [{ field: FIRST_NAME }]');
  expect(idsOf(page)).toEqual(['"p, 99\\']);
});

test('a cursor stays valid when its player or earlier players have left', async () => {
  const { pageInfo } = await players('first: 10', 'other');
  const setPlayersWithout = (leavers: string[]) =>
    app.sql.rows(`update game set player_ids = $1 where id = 'other'`, [
      ['nobody', ...ids].filter((id) => !leavers.includes(id)),
    ]);
  const neighbors = async () => ({
    after: idsOf(await players(`first: 2, after: "${pageInfo.endCursor}"`, 'other')),
    before: idsOf(await players(`last: 2, before: "${pageInfo.endCursor}"`, 'other')),
  });
  await setPlayersWithout(ids.slice(0, 3));
  const withoutEarlierPlayers = await neighbors();
  await setPlayersWithout(ids.slice(9, 10));
  const withoutItsPlayer = await neighbors();
  expect({ withoutEarlierPlayers, withoutItsPlayer }).toEqual({
    withoutEarlierPlayers: { after: ids.slice(10, 12), before: ids.slice(7, 9) },
    withoutItsPlayer: { after: ids.slice(10, 12), before: ids.slice(7, 9) },
  });
});

test('/v1 returns all players at once', async () => {
  const { body } = await app.rest('GET', '/v1/data/game_scheduler', app.platform);
  const { optedInPlayerUuids } = body.results.find(({ uuid }: { uuid: string }) => uuid === 'many');
  expect(optedInPlayerUuids).toEqual(['nobody', ...ids]);
});
