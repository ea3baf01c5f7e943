import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tournamentsOf } from '../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
const { save, find } = tournamentsOf(() => app);
const open = { id: 'open', title: '50% Off_Season', startsAt: '2026-03-01T08:00:00Z', registrationFee: '10.50' };
const cup = { id: 'cup', title: '500 Offs Season', startsAt: '2026-03-02T08:00:00Z', registrationFee: '10.5' };
const bare = { id: 'bare', isCanceled: true };

beforeAll(async () => {
  app = await startApp();
  for (const input of [open, cup, bare]) await save(input);
});
afterAll(() => app.close());

describe('a filter finds a record that', () => {
  test.each<[string, object, string[]]>([
    ['equals', { title: { eq: cup.title } }, ['cup']],
    ['differs or is null', { title: { ne: cup.title } }, ['bare', 'open']],
    ['is one of several IDs', { id: { in: ['cup', 'open', 'gone'] } }, ['cup', 'open']],
    ['contains a text in any case', { title: { contains: 'off' } }, ['cup', 'open']],
    ['contains wildcard characters of SQL', { title: { contains: '0% off_s' } }, ['open']],
    ['starts with a text in any case', { title: { startsWith: '50% o' } }, ['open']],
    ['is null', { title: { isNull: true } }, ['bare']],
    ['is not null', { startsAt: { isNull: false } }, ['cup', 'open']],
    ['is later', { startsAt: { gt: open.startsAt } }, ['cup']],
    ['is not earlier', { startsAt: { gte: open.startsAt } }, ['cup', 'open']],
    ['is earlier', { startsAt: { lt: cup.startsAt } }, ['open']],
    ['is not later', { startsAt: { lte: cup.startsAt } }, ['cup', 'open']],
    ['has an equal amount in another notation', { registrationFee: { eq: '10.500' } }, ['cup', 'open']],
    ['is true', { isCanceled: true }, ['bare']],
    ['meets all conditions', { startsAt: { gte: open.startsAt }, title: { contains: '%' } }, ['open']],
    ['meets every condition of `and`', { and: [{ id: { ne: 'cup' } }, { id: { ne: 'bare' } }] }, ['open']],
    ['meets one condition of `or`', { or: [{ id: { eq: 'cup' } }, { isCanceled: true }] }, ['bare', 'cup']],
    ['does not meet `not`, or has a null value', { not: { title: { contains: '%' } } }, ['bare', 'cup']],
  ])('%s', async (_, filter, ids) => {
    expect((await find(filter)).sort()).toEqual(ids);
  });
});

test.each([
  { page: { first: 3 }, length: 3, hasNextPage: false, hasPreviousPage: false },
  { page: { first: 2 }, length: 2, hasNextPage: true, hasPreviousPage: false },
  { page: { first: 2, offset: 1 }, length: 2, hasNextPage: false, hasPreviousPage: true },
  { page: { first: 0 }, length: 0, hasNextPage: true, hasPreviousPage: false },
])('the page $page reports whether other pages follow and precede', async ({ page, length, ...pageInfo }) => {
  const { tournaments } = await app.graphql(
    `query ($first: Int, $offset: Int) { tournaments(first: $first, offset: $offset) {
       totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage } } }`,
    page,
  );
  expect({ ...tournaments, nodes: tournaments.nodes.length }).toEqual({ totalCount: 3, nodes: length, pageInfo });
});
