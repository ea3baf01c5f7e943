import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let client: Client;
beforeAll(async () => {
  app = await startApp();
  client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await app.close();
});
beforeEach(async () => {
  await client.query('truncate tournament');
  await add('a', 'Été Classic', '2026-03-01');
  await add('b', 'Winter Classic', '2026-02-01');
});

const add = (id: string, title: string | null, start: string) =>
  client.query(
    `insert into tournament (id, title, starts_at) values ($1, $2, $3)
     on conflict (id) do update set title = excluded.title, starts_at = excluded.starts_at`,
    [id, title, start],
  );
/** The ids that a search finds, and what it counts; then the same by a part of the title. */
async function found(words: string) {
  const of = (filter: string) => `tournaments(filter: ${filter}) { totalCount nodes { id } }`;
  const text = JSON.stringify(words);
  const answer = await app.graphql(`{ near: ${of(`{ search: ${text} }`)} part: ${of(`{ title: { contains: ${text} } }`)} }`);
  return [answer.near, answer.part].map(({ totalCount, nodes }) => [totalCount, ...nodes.map(({ id }: { id: string }) => id)]);
}
const kept = async () => {
  const all = (from: string) => client.query(`select ${from} order by id`);
  const { rows: names } = await all('id, title, name, starts_at from tournament_name');
  const { rows: titles } = await all('id, lower(nfc(title)) as title, folded(nfc(title)) as name, starts_at from tournament');
  return { names, titles };
};

test('names are found as they are after each write', async () => {
  await add('c', 'Classic Cup', '2026-01-01');
  await add('c', 'Classic Open', '2026-04-01');
  await add('b', null, '2026-02-01');
  const before = await found('classic');
  await client.query(`update tournament set id = 'd', title = 'e\u0301te\u0301' where id = 'a'`);
  await client.query(`delete from tournament where id = 'b'`);
  expect([before, await found('été')]).toEqual([
    [
      [2, 'a', 'c'],
      [2, 'a', 'c'],
    ],
    [
      [1, 'd'],
      [1, 'd'],
    ],
  ]);
  const { names, titles } = await kept();
  expect(names).toEqual(titles);
});

test('names are found as they were after a write that was rolled back', async () => {
  await client.query('begin');
  await add('a', 'Cup', '2026-03-01');
  await add('c', 'Classic Cup', '2026-01-01');
  await client.query('rollback');
  expect(await found('classic')).toEqual([
    [2, 'b', 'a'],
    [2, 'b', 'a'],
  ]);
});

test('no name is found of a table that was emptied', async () => {
  await client.query('truncate tournament');
  expect(await found('classic')).toEqual([[0], [0]]);
});

test('a write that changes neither title nor start writes no name', async () => {
  const writes = async () => (await client.query('select id, xmin from tournament_name order by id')).rows;
  const before = await writes();
  await client.query(`update tournament set title = title, starts_at = starts_at, platform = 'Other'`);
  expect(await writes()).toEqual(before);
});

test.each([
  ['{ title: { eq: "Été Classic" } }', ['a']],
  ['{ title: { eq: "été classic" } }', []],
  ['{ title: { in: ["Winter Classic", "WINTER CLASSIC"] } }', ['b']],
  ['{ title: { startsWith: "ÉT" } }', ['a']],
  ['{ title: { ne: "Winter Classic" } }', ['a']],
  ['{ search: "classic", title: { contains: "WIN" } }', ['b']],
  ['{ or: [{ search: "winter" }, { title: { contains: "été" } }] }', ['b', 'a']],
  ['{ not: { search: "winter" } }', ['a']],
  ['{ search: "classic", startsAt: { gt: "2026-02-15T00:00:00Z" } }', ['a']],
])('names are asked for together with other conditions: %s', async (filter, ids) => {
  const { tournaments } = await app.graphql(`{ tournaments(filter: ${filter}) { totalCount nodes { id } } }`);
  expect([tournaments.totalCount, tournaments.nodes.map(({ id }: { id: string }) => id)]).toEqual([ids.length, ids]);
});

test.each(['search: "classic"', 'title: { contains: "classic" }'])(
  'a list by names goes on behind its cursors, and back: %s',
  async (condition) => {
    const page = async (part: string) =>
      (await app.graphql(`{ tournaments(filter: { ${condition} }, ${part}) { edges { cursor node { id } } } }`)).tournaments
        .edges;
    const [first] = await page('first: 1');
    const [second] = await page(`first: 1, after: "${first.cursor}"`);
    const [back] = await page(`last: 1, before: "${second.cursor}"`);
    const [last] = await page('last: 1');
    expect([first, second, back, last].map(({ node }) => node.id)).toEqual(['b', 'a', 'b', 'a']);
  },
);
