import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

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

test('players come page by page in the order in which they joined; who is unknown is left out', async () => {
  const first = await players('first: 100');
  const rest = await players(`first: 100, after: "${first.pageInfo.endCursor}"`);
  expect([[...idsOf(first), ...idsOf(rest)], first.totalCount, rest.pageInfo.hasNextPage]).toEqual([ids, 130, false]);
});

test('they are searched and ordered like every other list', async () => {
  const page = await players('first: 2, filter: { firstName: { contains: "99" } }, orderBy: [{ field: FIRST_NAME }]');
  expect(idsOf(page)).toEqual(['"p, 99\\']);
});

test('a cursor leads on when its player has left, or those in front', async () => {
  const { pageInfo } = await players('first: 10', 'other');
  const without = (gone: string[]) =>
    app.sql.rows(`update game set player_ids = $1 where id = 'other'`, [['nobody', ...ids].filter((id) => !gone.includes(id))]);
  const around = async () => [
    idsOf(await players(`first: 2, after: "${pageInfo.endCursor}"`, 'other')),
    idsOf(await players(`last: 2, before: "${pageInfo.endCursor}"`, 'other')),
  ];
  await without(ids.slice(0, 3));
  const when = [await around()];
  await without(ids.slice(9, 10));
  when.push(await around());
  expect(when).toEqual([
    [ids.slice(10, 12), ids.slice(7, 9)],
    [ids.slice(10, 12), ids.slice(7, 9)],
  ]);
});

test('/v1 gives all of them at once', async () => {
  const { body } = await app.rest('GET', '/v1/data/game_scheduler', app.platform);
  const { optedInPlayerUuids } = body.results.find(({ uuid }: { uuid: string }) => uuid === 'many');
  expect(optedInPlayerUuids).toEqual(['nobody', ...ids]);
});
