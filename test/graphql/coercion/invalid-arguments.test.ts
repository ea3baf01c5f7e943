import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Open" }) { id } }');
  await app.graphql('mutation { createSponsor(input: { id: "sponsor", title: "Balls" }) { id } }');
  await app.graphql('mutation { createNewsItem(input: { id: "news", title: "News" }) { id } }');
});
afterAll(() => app.close());

const messagesOf = async (query: string, variables?: Record<string, unknown>): Promise<string[]> =>
  (await app.graphql(query, variables)).errors?.map((error: string) => error.replace('BAD_INPUT: ', ''));

describe('rejects invalid paging arguments, even if only totalCount is selected:', () => {
  const sizeMessage = 'first: expected an integer from 0 to 100';
  const pages: [string, string][] = [
    ['first: 101', sizeMessage],
    ['first: -1', sizeMessage],
    ['offset: -1', 'offset: expected an integer of 0 or more'],
    ['first: 500, offset: -2', `${sizeMessage}; offset: expected an integer of 0 or more`],
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
    const invalidPages: [string, string][] = [...pages, ['after: "nonsense"', `after: expected ${cursor}`]];
    const answers = await Promise.all(invalidPages.map(async ([page]) => ({ page, messages: await messagesOf(query(page)) })));
    expect(answers).toEqual(invalidPages.map(([page, message]) => ({ page, messages: [message] })));
  });

  test('the reactions to a news item that does not exist', async () => {
    const messages = await messagesOf('{ newsReactions(newsItemId: "none", first: 101) { totalCount } }');
    expect(messages).toEqual([sizeMessage]);
  });
});

test('one error reports all problems of the arguments of a list, each with its path', async () => {
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
  const [message] = await messagesOf(query, { filter, orderBy });
  expect(message?.split('; ')).toEqual([
    'first: expected an integer from 0 to 100',
    'filter.id.in[1]: expected text without NUL characters',
    'filter.search: expected at most 200 characters',
    'filter.or[0].near.latitude: expected a number from -90 to 90',
    'filter.or[0].near.longitude: expected a number from -180 to 180',
    'filter.or[0].near.distance: expected a number from 0 to 100000',
    'filter.or[1].not.and[0].title.eq: expected a value (use isNull to match unset values)',
    'filter.or[1].not.and[0].title.contains: expected at most 1000 characters',
    'orderBy: expected at most 10 fields',
  ]);
});

test.each<[string, string, Record<string, unknown>]>([
  ['a variable', 'query ($id: ID!) { team(id: $id) { id } other: team(id: "x") { id } }', { id: 'a\0' }],
  ['a literal', '{ club(id: "a\\u0000b") { id } }', {}],
])('interpreted and compiled runs report a NUL character in an ID once: %s', async (_, query, variables) => {
  const runs = [];
  for (let run = 0; run < 3; run++) runs.push(await messagesOf(query, variables));
  expect(runs).toEqual(Array(3).fill(['id: expected text without NUL characters']));
});

test('a problem in a filter of approvals has its path in the filter that the client sent', async () => {
  const filter = { and: [{ itemId: { eq: 'x' } }, { itemId: { eq: null } }] };
  const query = `query ($filter: ApprovalFilter) {
    sponsor(id: "sponsor") { approval { approvals(filter: $filter) { totalCount } } } }`;
  expect(await messagesOf(query, { filter })).toEqual([expect.stringMatching(/^filter\.and\[1\]\.itemId\.eq: expected a value/)]);
});

describe('the ID of an input', () => {
  test.each([
    'createTeam(input: { id: "" }) { id }',
    'upsertTeam(input: { id: "" }) { id }',
    'upsertClub(input: { id: "", title: "Club" }) { id }',
    'createSponsor(input: { id: "" }) { id }',
    'upsertUser(input: { id: "" }) { id }',
    'upsertGameGroup(input: { id: "" }) { id }',
    'updateTeam(id: "team", input: { id: "" }) { id }',
  ])('must not be empty: %s', async (mutation) => {
    expect(await messagesOf(`mutation { ${mutation} }`)).toEqual(['input.id: expected an id of 1 to 255 characters']);
  });

  test.each([
    'updateTeam(id: "team", input: { id: "other" }) { id }',
    'updateTournament(id: "open", input: { id: "other", title: "Moved" }) { id }',
    'updateSponsor(id: "sponsor", input: { id: "other" }) { id }',
    'updateNewsItem(id: "news", input: { id: "other" }) { id }',
  ])('must equal the ID argument: %s', async (mutation) => {
    expect(await messagesOf(`mutation { ${mutation} }`)).toEqual(['input.id: expected the same id as the argument, or none']);
  });

  test.each([
    ['the ID argument', 'id: "open",'],
    ['null', 'id: null,'],
    ['absent', ''],
  ])('may be %s', async (_, id) => {
    const data = await app.graphql(`mutation { updateTournament(id: "open", input: { ${id} title: "Open" }) { id } }`);
    expect(data).toEqual({ updateTournament: { id: 'open' } });
  });
});
