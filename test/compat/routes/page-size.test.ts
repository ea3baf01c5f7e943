import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf } from '../../../compat/engine/index.js';
import { parametersOf } from '../../../compat/engine/request/reader.js';
import { legacyRoutes } from '../../../compat/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const rowCount = 1_050;

/** SQL statements that insert the rows of each list that supports `page_size`, keyed by path. */
const rows: Readonly<Record<string, string>> = {
  '/v1/data/tourney_flat_data': `insert into tournament (id, title, starts_at) select 'row-' || i, 'Open', timestamptz '2026-01-01' + i % 7 * interval '1 day'`,
  '/v1/data/teams': "insert into team (id, tournament_id) select 'row-' || i, 't'",
  '/v1/data/partner_rankings':
    "insert into ranking_points (id, player_id, event_id, points, played_at) select 'row-' || i, 'player-' || i, 'event', i % 9, now() - interval '1 day'",
  '/v1/data/news': "insert into news_item (id, title, slug) select 'row-' || i, 'News', 'news-' || i",
  '/v1/data/news_outlet': "insert into news_outlet (id, title) select 'row-' || i, 'Outlet'",
  '/v1/referee/prematches': "insert into prematch (id, match_id) select 'row-' || i, 'm'",
  '/v1/referee/pregames': "insert into pregame (id, match_id) select 'row-' || i, 'm'",
  '/v1/data/game_scheduler': "insert into game (id, title) select 'row-' || i, 'Game'",
};

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  for (const insert of Object.values(rows)) await app.sql.rows(`${insert} from generate_series(1, ${rowCount}) i`);
});
afterAll(() => app.close());

const paths = entriesOf(legacyRoutes)
  .filter(({ alternatives }) => alternatives.some(({ args = {} }) => parametersOf(args).some(({ name }) => name === 'page_size')))
  .map(({ path }) => path);

/** Maximum `page_size` of lists that reduce larger values to the maximum, keyed by path. Other lists reject values above 1,000. */
const reducedMaximums: Readonly<Record<string, number>> = { '/v1/data/news_outlet': 25 };

/** Returns the status, the total and the IDs of a page. The ID is the first field of each record. */
async function pageOf(
  path: string,
  query: string,
): Promise<{ status: number; message?: string; total?: number; ids: unknown[] }> {
  const { status, body } = await app.rest('GET', `${path}?${query}`, app.platform);
  const { results = [], totalRecords, total_records: total = totalRecords, Message: message } = body;
  return status === 200
    ? { status, total: Number(total), ids: results.map((record: object) => Object.values(record)[0]) }
    : { status, message, ids: [] };
}

test('this file has rows for every list that takes page_size', () =>
  expect(Object.keys(rows).toSorted()).toEqual(paths.toSorted()));

test.for(paths)('%s honors a page_size of up to 1,000, and rejects larger ones with the limit', async (path) => {
  const sizeOf = async (size: number) => {
    const { status, message, ids } = await pageOf(path, `page_size=${size}`);
    return message ?? { status, count: new Set(ids).size };
  };
  const limit = reducedMaximums[path];
  const counts = (size: number) => ({ status: 200, count: Math.min(size, limit ?? rowCount) });
  const refused = limit ? counts(limit) : 'page_size: expected a whole number of at most 1000';
  expect({
    99: await sizeOf(99),
    101: await sizeOf(101),
    500: await sizeOf(500),
    1000: await sizeOf(1_000),
    1001: await sizeOf(1_001),
    99999999999: await sizeOf(99_999_999_999),
  }).toEqual({ 99: counts(99), 101: counts(101), 500: counts(500), 1000: counts(1_000), 1001: refused, 99999999999: refused });
});

const steps = paths.filter((path) => !reducedMaximums[path]).flatMap((path) => [500, 1_000].map((size) => [path, size] as const));

test.for(steps)('a client that reads %s in steps of %i gets every row once', async ([path, size]) => {
  const ids: unknown[] = [];
  let total: number | undefined;
  do {
    const page = await pageOf(path, `page_size=${size}&current_page=${ids.length}`);
    total = page.total;
    ids.push(...page.ids);
  } while (ids.length < (total ?? 0) && ids.length % size === 0);
  expect({ total, read: ids.length, distinct: new Set(ids).size }).toEqual({
    total: rowCount,
    read: rowCount,
    distinct: rowCount,
  });
});

test('retrieve_all returns every row, regardless of page_size', async () => {
  const { total, ids } = await pageOf('/v1/data/tourney_flat_data', 'retrieve_all=true&page_size=5000');
  expect({ total, distinct: new Set(ids).size }).toEqual({ total: rowCount, distinct: rowCount });
});

test.for(paths)('%s returns an empty page for a current_page past the end, even above the 32-bit maximum', async (path) => {
  const pages = ['2000', '2147483646', '2147483647', '2147483648'].map((page) =>
    pageOf(path, `page_size=3&current_page=${page}`),
  );
  const responses = (await Promise.all(pages)).map(({ status, ids }) => ({ status, ids }));
  const empty = { status: 200, ids: [] };
  expect(responses).toEqual([empty, empty, empty, empty]);
});
