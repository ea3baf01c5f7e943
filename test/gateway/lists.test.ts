import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { tournamentsOf } from '../support/tournaments.js';

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

describe('a filter finds what', () => {
  test.each<[string, object, string[]]>([
    ['equals', { title: { eq: cup.title } }, ['cup']],
    ['differs or is unset', { title: { ne: cup.title } }, ['bare', 'open']],
    ['is one of some', { id: { in: ['cup', 'open', 'gone'] } }, ['cup', 'open']],
    ['contains a text in any case', { title: { contains: 'off' } }, ['cup', 'open']],
    ['contains signs that are patterns elsewhere', { title: { contains: '0% off_s' } }, ['open']],
    ['starts with a text in any case', { title: { startsWith: '50% o' } }, ['open']],
    ['is unset', { title: { isNull: true } }, ['bare']],
    ['is set', { startsAt: { isNull: false } }, ['cup', 'open']],
    ['is later', { startsAt: { gt: open.startsAt } }, ['cup']],
    ['is not earlier', { startsAt: { gte: open.startsAt } }, ['cup', 'open']],
    ['is earlier', { startsAt: { lt: cup.startsAt } }, ['open']],
    ['is not later', { startsAt: { lte: cup.startsAt } }, ['cup', 'open']],
    ['is the same amount, however it is written', { registrationFee: { eq: '10.500' } }, ['cup', 'open']],
    ['is true', { isCanceled: true }, ['bare']],
    ['holds all conditions', { startsAt: { gte: open.startsAt }, title: { contains: '%' } }, ['open']],
    ['holds every one of some', { and: [{ id: { ne: 'cup' } }, { id: { ne: 'bare' } }] }, ['open']],
    ['holds one of some', { or: [{ id: { eq: 'cup' } }, { isCanceled: true }] }, ['bare', 'cup']],
    ['does not hold, unset values with it', { not: { title: { contains: '%' } } }, ['bare', 'cup']],
  ])('%s', async (_, filter, ids) => {
    expect((await find(filter)).sort()).toEqual(ids);
  });
});

test('a page knows whether others follow and go before', async () => {
  const pages = [{ first: 3 }, { first: 2 }, { first: 2, offset: 1 }, { first: 0 }].map(async (page) => {
    const { tournaments } = await app.graphql(
      'query ($first: Int, $offset: Int) { tournaments(first: $first, offset: $offset) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage } } }',
      page,
    );
    const { hasNextPage, hasPreviousPage } = tournaments.pageInfo;
    return [tournaments.nodes.length, tournaments.totalCount, hasNextPage, hasPreviousPage];
  });
  expect(await Promise.all(pages)).toEqual([
    [3, 3, false, false],
    [2, 3, true, false],
    [2, 3, false, true],
    [0, 3, true, false],
  ]);
});
