import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;

/** Titles in the order of the Unicode root collation, which differs from their code point order. */
const titles = [
  ' Lead',
  '_Underscore',
  '10 Courts',
  '9 Courts',
  'a',
  'A',
  'ä',
  'Ä',
  'ab',
  'Äpfel',
  'apple',
  'Banana',
  'éclair',
  'Straße',
  'zebra',
  'Zoo',
  'Омск',
  '手球',
];

beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from category');
  const shuffled = titles.toReversed().toSorted((one, other) => one.length - other.length);
  for (const [index, title] of shuffled.entries()) {
    const save = (mutation: string, input: object) => app.sql.rows(mutation, Object.values(input));
    await save('insert into category (id, title) values ($1, $2)', { id: `category-${index}`, title });
    await save('insert into news_outlet (id, title) values ($1, $2)', { id: `outlet-${index}`, title });
    await save(`insert into news_item (id, title, outlet_id) values ($1, $2, 'outlet-0')`, { id: `news-${index}`, title });
    await save('insert into tournament (id, title) values ($1, $2)', { id: `cup-${index}`, title: `Cup ${title}` });
  }
  await app.sql.rows(`insert into news_outlet (id, title) values ('untitled', null)`);
});
afterAll(() => app.close());

test('`display_order` of categories sorts titles by the Unicode root collation', async () => {
  const read = async (order: string) => {
    const { body } = await app.rest('GET', `/v1/data/lookup_categories?display_order=${order}`, app.platform);
    return body.results.map(({ title }: { title: string }) => title);
  };
  expect({ ascending: await read('ascending'), descending: await read('desc') }).toEqual({
    ascending: titles,
    descending: titles.toReversed(),
  });
});

test.for([
  [1, 'ASC'],
  [5, 'ASC'],
  [5, 'DESC'],
] as const)('pages of %d by title continue after each cursor without a gap, %s', async ([first, direction]) => {
  const read = async (by: string, cursor: string | null) => {
    const { newsOutlets } = await app.graphql(
      `query ($cursor: String) { newsOutlets(${by}: $cursor, ${by === 'after' ? 'first' : 'last'}: ${first},
         orderBy: [{ field: TITLE, direction: ${direction} }]) { nodes { title } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
      { cursor },
    );
    return newsOutlets;
  };
  const all: (string | null)[] = [];
  for (let cursor: string | null = null, isMore = true; isMore; ) {
    const { nodes, pageInfo } = await read('after', cursor);
    all.push(...nodes.map(({ title }: { title: string }) => title));
    [cursor, isMore] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  const backward: (string | null)[] = [];
  for (let cursor: string | null = null, isMore = true; isMore; ) {
    const { nodes, pageInfo } = await read('before', cursor);
    backward.unshift(...nodes.map(({ title }: { title: string }) => title));
    [cursor, isMore] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
  }
  // Unset values come last in both directions.
  const expected = [...(direction === 'ASC' ? titles : titles.toReversed()), null];
  expect({ all, backward }).toEqual({ all: expected, backward: expected });
});

test('lists across a relation and lists of a search sort by the same collation', async () => {
  const { newsOutlet, tournaments } = await app.graphql(`{
    newsOutlet(id: "outlet-0") { news(orderBy: [{ field: TITLE }], first: 100) { nodes { title } } }
    tournaments(filter: { title: { contains: "cup" } }, orderBy: [{ field: TITLE }], first: 100) { nodes { title } }
  }`);
  const titlesOf = ({ nodes }: { nodes: { title: string }[] }) => nodes.map(({ title }) => title);
  expect({ news: titlesOf(newsOutlet.news), tournaments: titlesOf(tournaments) }).toEqual({
    news: titles,
    tournaments: titles.map((title) => `Cup ${title}`),
  });
});

test('ids and codes sort by code point', async () => {
  const { newsOutlets } = await app.graphql('{ newsOutlets(orderBy: [{ field: ID }], first: 3) { nodes { id } } }');
  expect(newsOutlets.nodes).toEqual([{ id: 'outlet-0' }, { id: 'outlet-1' }, { id: 'outlet-10' }]);
});
