import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

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
interface Page {
  totalCount: number;
  nodes: { id: string }[];
}
const summaryOf = ({ totalCount, nodes }: Page) => ({ totalCount, ids: nodes.map(({ id }) => id) });
/** Returns the tournaments that a full-text search finds, and the tournaments that contain the text in their title. */
async function find(words: string) {
  const selection = (filter: string) => `tournaments(filter: ${filter}) { totalCount nodes { id } }`;
  const text = JSON.stringify(words);
  const { bySearch, byTitle } = await app.graphql(
    `{ bySearch: ${selection(`{ search: ${text} }`)} byTitle: ${selection(`{ title: { contains: ${text} } }`)} }`,
  );
  return { bySearch: summaryOf(bySearch), byTitle: summaryOf(byTitle) };
}
/** Returns the rows of the index table, and the same rows computed from the tournaments. */
const nameRows = async () => {
  const select = (from: string) => client.query(`select ${from} order by id`);
  const { rows: indexed } = await select('id, title, name, starts_at from tournament_name');
  const { rows: computed } = await select(
    'id, lower(nfc(title)) as title, unaccent_lower(nfc(title)) as name, starts_at from tournament',
  );
  return { indexed, computed };
};

test('name searches follow inserts, updates and deletes', async () => {
  await add('c', 'Classic Cup', '2026-01-01');
  await add('c', 'Classic Open', '2026-04-01');
  await add('b', null, '2026-02-01');
  const classic = await find('classic');
  await client.query(`update tournament set id = 'd', title = 'e\u0301te\u0301' where id = 'a'`);
  await client.query(`delete from tournament where id = 'b'`);
  const renamed = await find('été');
  expect({ classic, renamed }).toEqual({
    classic: { bySearch: { totalCount: 2, ids: ['a', 'c'] }, byTitle: { totalCount: 2, ids: ['a', 'c'] } },
    renamed: { bySearch: { totalCount: 1, ids: ['d'] }, byTitle: { totalCount: 1, ids: ['d'] } },
  });
  const { indexed, computed } = await nameRows();
  expect(indexed).toEqual(computed);
});

test('name searches ignore writes that were rolled back', async () => {
  await client.query('begin');
  await add('a', 'Cup', '2026-03-01');
  await add('c', 'Classic Cup', '2026-01-01');
  await client.query('rollback');
  expect(await find('classic')).toEqual({
    bySearch: { totalCount: 2, ids: ['b', 'a'] },
    byTitle: { totalCount: 2, ids: ['b', 'a'] },
  });
});

test('name searches find nothing after the table is truncated', async () => {
  await client.query('truncate tournament');
  expect(await find('classic')).toEqual({
    bySearch: { totalCount: 0, ids: [] },
    byTitle: { totalCount: 0, ids: [] },
  });
});

test('a write that changes neither title nor start leaves the index table untouched', async () => {
  const rowVersions = async () => (await client.query('select id, xmin from tournament_name order by id')).rows;
  const before = await rowVersions();
  await client.query(`update tournament set title = title, starts_at = starts_at, platform = 'Other'`);
  expect(await rowVersions()).toEqual(before);
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
])('filters combine conditions on names with other conditions: %s', async (filter, ids) => {
  const { tournaments } = await app.graphql(`{ tournaments(filter: ${filter}) { totalCount nodes { id } } }`);
  expect(summaryOf(tournaments)).toEqual({ totalCount: ids.length, ids });
});

test.each(['search: "classic"', 'title: { contains: "classic" }'])(
  'a list filtered by name pages forward and backward by cursor: %s',
  async (condition) => {
    const page = async (part: string) =>
      (await app.graphql(`{ tournaments(filter: { ${condition} }, ${part}) { edges { cursor node { id } } } }`)).tournaments
        .edges;
    const [first] = await page('first: 1');
    const [second] = await page(`first: 1, after: "${first.cursor}"`);
    const [previous] = await page(`last: 1, before: "${second.cursor}"`);
    const [last] = await page('last: 1');
    expect({ first: first.node.id, second: second.node.id, previous: previous.node.id, last: last.node.id }).toEqual({
      first: 'b',
      second: 'a',
      previous: 'b',
      last: 'a',
    });
  },
);
