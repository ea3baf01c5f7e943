import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Open" }) { id } }');
  await app.graphql('mutation { createSponsor(input: { id: "sponsor", title: "Balls" }) { id } }');
  await app.graphql('mutation { createNewsItem(input: { id: "news", title: "News" }) { id } }');
});
afterAll(() => app.close());

const refusals = async (query: string, variables?: Record<string, unknown>): Promise<string[]> =>
  (await app.graphql(query, variables)).errors?.map((error: string) => error.replace('BAD_INPUT: ', ''));

describe('a page out of bounds is refused, also where only the total is asked for:', () => {
  const size = 'first: expected an integer from 0 to 100';
  const pages: [string, string][] = [
    ['first: 101', size],
    ['first: -1', size],
    ['offset: -1', 'offset: expected an integer of 0 or more'],
    ['first: 500, offset: -2', `${size}; offset: expected an integer of 0 or more`],
  ];
  const lists: [string, (page: string) => string, cursor: string][] = [
    ['a list', (page) => `{ teams(${page}) { totalCount } }`, 'a cursor of this list in this order'],
    [
      'a relation',
      (page) => `{ tournament(id: "open") { teams(${page}) { totalCount } } }`,
      'a cursor of this list in this order',
    ],
    [
      'the comments on a sponsor',
      (page) => `{ sponsor(id: "sponsor") { approval { comments(${page}) { totalCount } } } }`,
      'a cursor of this list in this order',
    ],
    [
      'the approvals of a sponsor',
      (page) => `{ sponsor(id: "sponsor") { approval { approvals(${page}) { totalCount } } } }`,
      'a cursor of this list in this order',
    ],
    [
      'the reactions to a news item',
      (page) => `{ newsReactions(newsItemId: "news", ${page}) { totalCount } }`,
      'a cursor of this list in this order',
    ],
    ['a ranking', (page) => `{ rankings(${page}) { totalCount } }`, 'a cursor of this ranking'],
  ];
  test.each(lists)('%s', async (_, query, cursor) => {
    const wanted: [string, string][] = [...pages, ['after: "nonsense"', `after: expected ${cursor}`]];
    const answers = await Promise.all(wanted.map(([page]) => refusals(query(page))));
    expect(answers).toEqual(wanted.map(([, message]) => [message]));
  });

  test('the reactions to no news item at all', async () => {
    expect(await refusals('{ newsReactions(newsItemId: "none", first: 101) { totalCount } }')).toEqual([size]);
  });
});

test('all that is wrong with the arguments of a list is told at once, each in its place', async () => {
  const filter = {
    search: 'x'.repeat(201),
    id: { in: ['a', 'a\0b'] },
    or: [
      { near: { latitude: 91, longitude: 181, distance: -1 } },
      { not: { and: [{ title: { contains: 'x'.repeat(1001), eq: null } }] } },
    ],
  };
  const orderBy = Array(11).fill({ field: 'ID' });
  const query = `query ($filter: TournamentFilter, $orderBy: [TournamentOrder!]) {
    tournaments(first: 101, filter: $filter, orderBy: $orderBy) { totalCount } }`;
  expect((await refusals(query, { filter, orderBy }))[0]?.split('; ')).toEqual([
    'first: expected an integer from 0 to 100',
    'filter.id.in[1]: expected text without NUL characters',
    'filter.search: expected at most 200 characters',
    'filter.or[0].near.latitude: expected a number from -90 to 90',
    'filter.or[0].near.longitude: expected a number from -180 to 180',
    'filter.or[0].near.distance: expected a number from 0 to 100000',
    'filter.or[1].not.and[0].title.eq: expected a value, because isNull asks for unset ones',
    'filter.or[1].not.and[0].title.contains: expected at most 1000 characters',
    'orderBy: expected at most 10 fields',
  ]);
});

test('a lone id with a NUL in it is named, by every way to run an operation, and alone', async () => {
  const byVariable = 'query ($id: ID!) { team(id: $id) { id } other: team(id: "x") { id } }';
  const literal = '{ club(id: "a\\u0000b") { id } }';
  const nul = 'id: expected text without NUL characters';
  const answers = [];
  for (const _ of [1, 2, 3]) answers.push(await refusals(byVariable, { id: 'a\0' }), await refusals(literal));
  expect(answers).toEqual(Array(6).fill([nul]));
});

test('what is wrong with a filter of approvals is named as it was sent', async () => {
  const filter = { and: [{ itemId: { eq: 'x' } }, { itemId: { eq: null } }] };
  const query = `query ($filter: ApprovalFilter) {
    sponsor(id: "sponsor") { approval { approvals(filter: $filter) { totalCount } } } }`;
  expect(await refusals(query, { filter })).toEqual([expect.stringMatching(/^filter\.and\[1\]\.itemId\.eq: expected a value/)]);
});

describe('the id of an input', () => {
  const form = ['input.id: expected an id of 1 to 255 characters'];
  const other = ['input.id: expected the id of the argument, or none'];

  test.each([
    'createTeam(input: { id: "" }) { id }',
    'upsertTeam(input: { id: "" }) { id }',
    'upsertClub(input: { id: "", title: "Club" }) { id }',
    'createSponsor(input: { id: "" }) { id }',
    'upsertUser(input: { id: "" }) { id }',
    'upsertGameGroup(input: { id: "" }) { id }',
    'updateTeam(id: "team", input: { id: "" }) { id }',
  ])('is not empty: %s', async (mutation) => {
    expect(await refusals(`mutation { ${mutation} }`)).toEqual(form);
  });

  test.each([
    'updateTeam(id: "team", input: { id: "other" }) { id }',
    'updateTournament(id: "open", input: { id: "other", title: "Moved" }) { id }',
    'updateSponsor(id: "sponsor", input: { id: "other" }) { id }',
    'updateNewsItem(id: "news", input: { id: "other" }) { id }',
  ])('is no other than that of the argument: %s', async (mutation) => {
    expect(await refusals(`mutation { ${mutation} }`)).toEqual(other);
  });

  test('may be that of the argument, null, or absent', async () => {
    const update = (id: string) =>
      app.graphql(`mutation { updateTournament(id: "open", input: { ${id} title: "Open" }) { id } }`);
    expect(await Promise.all(['id: "open",', 'id: null,', ''].map(update))).toEqual(
      Array(3).fill({ updateTournament: { id: 'open' } }),
    );
  });
});
