import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../support/checks/statement-counter.js';
import { instantAt } from '../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const starts = { c1: instantAt(3), c2: null, c3: instantAt(1), c4: instantAt(3), c5: null, c6: instantAt(2), c7: null };
  for (const [id, startsAt] of Object.entries(starts)) {
    const input = {
      id,
      title: `Cup ${id}`,
      startsAt,
      registrationCount: id < 'c4' ? 1 : 2,
      location: { latitude: 30, longitude: -97 },
    };
    await app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });
    for (const seed of [1, 2, 3, 4, 5])
      await app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', {
        input: { id: `${id}-${seed}`, tournamentId: id, seed },
      });
  }
});
afterAll(() => app.close());

interface Connection {
  nodes: { id: string }[];
  edges: { cursor: string }[];
  pageInfo: { hasPreviousPage: boolean; hasNextPage: boolean; startCursor: string | null; endCursor: string | null };
}
type PageArguments = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the data of a response
type Data = any;

const connectionFields = 'nodes { id } edges { cursor } pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';
const idsOf = ({ nodes }: Connection) => nodes.map(({ id }) => id);

/**
 * Returns a function that reads a page of a list. It replaces `$page` in the query with the paging arguments and `$fields` with the
 * connection fields.
 */
const reader = (query: string, connectionIn: (data: Data) => Connection) => async (page: PageArguments) => {
  const args = Object.entries(page).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return connectionIn(await app.graphql(query.replace('$page', args.join(', ')).replace('$fields', connectionFields)));
};
type Read = ReturnType<typeof reader>;

async function readAllPages(read: Read, argumentsFrom: (cursor?: string) => PageArguments): Promise<string[][]> {
  const pages: string[][] = [];
  const isForward = 'first' in argumentsFrom();
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const page = await read(argumentsFrom(cursor));
    pages.push(idsOf(page));
    hasMore = isForward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
    cursor = (isForward ? page.pageInfo.endCursor : page.pageInfo.startCursor) ?? undefined;
  }
  return pages;
}

const orders = [
  '',
  'orderBy: [{ field: STARTS_AT }]',
  'orderBy: [{ field: STARTS_AT, direction: DESC }]',
  'orderBy: [{ field: REGISTRATION_COUNT, direction: DESC }, { field: STARTS_AT }, { field: TITLE, direction: DESC }]',
  'filter: { search: "cup" }',
  'filter: { near: { latitude: 30, longitude: -97, distance: 50 } }',
];

describe.each(orders)('a list in the order `%s`', (order) => {
  const read = reader(`{ tournaments($page ${order}) { $fields } }`, ({ tournaments }: Data) => tournaments);

  test('has the same items when it is read forward and backward', async () => {
    const [whole = []] = await readAllPages(read, () => ({ first: 100 }));
    const forward = await readAllPages(read, (after) => ({ first: 2, ...(after && { after }) }));
    const backward = await readAllPages(read, (before) => ({ last: 2, ...(before && { before }) }));
    expect(whole).toHaveLength(7);
    expect({ forward: forward.flat(), backward: backward.toReversed().flat() }).toEqual({ forward: whole, backward: whole });
    expect(backward.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
  });

  test('has an empty page at the largest offset', async () =>
    expect(idsOf(await read({ first: 100, offset: 2_147_483_647 }))).toEqual([]));
});

/**
 * Returns a function that reads a page of a list of seven items as letters. `<de>` is a page of the items d and e that has items before and
 * after it.
 */
async function letterReader(read: Read) {
  const whole = await read({ first: 100 });
  const cursors = Object.fromEntries(whole.edges.map(({ cursor }, index) => ['abcdefg'.charAt(index), cursor]));
  const letters = new Map(idsOf(whole).map((id, index) => [id, 'abcdefg'.charAt(index)]));
  return async (pageArguments: PageArguments) => {
    const args = Object.entries(pageArguments).map(([name, value]) => [name, cursors[String(value)] ?? value]);
    const page = await read(Object.fromEntries(args));
    const { hasPreviousPage, hasNextPage, startCursor, endCursor } = page.pageInfo;
    expect({ startCursor, endCursor }).toEqual({
      startCursor: page.edges.at(0)?.cursor ?? null,
      endCursor: page.edges.at(-1)?.cursor ?? null,
    });
    return `${hasPreviousPage ? '<' : ''}${idsOf(page)
      .map((id) => letters.get(id))
      .join('')}${hasNextPage ? '>' : ''}`;
  };
}

describe.each([
  ['a list', '{ tournaments($page filter: {}) { $fields } }', ({ tournaments }: Data) => tournaments],
  ['a list of a record', '{ game(id: "seven") { players($page filter: {}) { $fields } } }', ({ game }: Data) => game.players],
])('a page of %s has the items that its arguments select', (_, query, connectionIn) => {
  beforeAll(async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, async () => (await app.person()).id));
    await app.sql.rows(`insert into game (id, player_ids) values ('seven', $1) on conflict do nothing`, [ids.reverse()]);
  });

  test.each<[PageArguments, string]>([
    [{}, 'abcdefg'],
    [{ first: 3 }, 'abc>'],
    [{ first: 7 }, 'abcdefg'],
    [{ first: 0 }, '>'],
    [{ last: 3 }, '<efg'],
    [{ last: 7 }, 'abcdefg'],
    [{ last: 0 }, '<'],
    [{ first: 2, after: 'c' }, '<de>'],
    [{ after: 'e' }, '<fg'],
    [{ last: 2, before: 'e' }, '<cd>'],
    [{ before: 'c' }, 'ab>'],
    [{ first: 2, before: 'e' }, 'ab>'],
    [{ first: 9, before: 'c' }, 'ab>'],
    [{ last: 2, after: 'c' }, '<fg'],
    [{ last: 9, after: 'e' }, '<fg'],
    [{ first: 2, after: 'a', before: 'f' }, '<bc>'],
    [{ last: 2, after: 'a', before: 'f' }, '<de>'],
    [{ after: 'b', before: 'e' }, '<cd>'],
    [{ first: 2, offset: 3 }, '<de>'],
    [{ first: 2, after: 'b', offset: 1 }, '<de>'],
    [{ after: 'g' }, '<'],
    [{ before: 'a' }, '>'],
  ])('%j', async (page, expected) => {
    const read = await letterReader(reader(query, connectionIn));
    expect(await read(page)).toBe(expected);
  });
});

describe.each([
  ['a list', (page: string) => `{ tournaments(${page}) { totalCount } }`],
  ['a list of a record', (page: string) => `{ tournament(id: "c1") { teams(${page}) { nodes { id } } } }`],
  ['players of a game', (page: string) => `{ game(id: "seven") { players(${page}) { totalCount } } }`],
  ['a ranking', (page: string) => `{ rankings(${page}) { totalCount } }`],
  ['reactions', (page: string) => `{ newsReactions(newsItemId: "none", ${page}) { totalCount } }`],
])('%s', (_, queryWith) => {
  const offsetMessage = 'offset: expected no value together with `last` or `before`';
  test.each([
    ['first: 1, last: 1', 'last: expected no value together with `first`'],
    ['last: -1', 'last: expected an integer from 0 to 100'],
    ['last: 101', 'last: expected an integer from 0 to 100'],
    ['last: 5, offset: 1', offsetMessage],
    ['before: "x", offset: 1', offsetMessage],
  ])('rejects %s', async (page, message) => {
    const { errors } = await app.graphql(queryWith(page));
    expect(errors[0]).toContain(`BAD_INPUT: ${message}`);
  });
});

test('`before` rejects a cursor of another list', async () => {
  const { tournaments } = await app.graphql('{ tournaments { pageInfo { startCursor } } }');
  const { errors } = await app.graphql(`{ teams(last: 1, before: "${tournaments.pageInfo.startCursor}") { nodes { id } } }`);
  expect(errors).toEqual(['BAD_INPUT: before: expected a cursor of this list in this order']);
});

describe('lists of many records', () => {
  const query = (page: string) =>
    `{ tournaments(orderBy: [{ field: ID }]) { nodes { teams(${page} orderBy: [{ field: SEED }]) { nodes { id } pageInfo { hasPreviousPage hasNextPage startCursor } } } } }`;
  const teamsOf = async (page: string) =>
    (await app.graphql(query(page))).tournaments.nodes.map(({ teams }: { teams: Connection }) => teams);

  test('have their last items', async () => {
    expect((await teamsOf('last: 2')).map(idsOf)).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => [`c${n}-4`, `c${n}-5`]));
  });

  test('take as many statements as the list of a single record', async () => {
    const ofOneRecord = query('first: 2').replace('(orderBy', '(first: 1, orderBy');
    const statements = await statementsOf(app, () => app.graphql(ofOneRecord));
    expect(await statementsOf(app, () => teamsOf('last: 2'))).toBe(statements);
  });

  test('continue before the start of their last page', async () => {
    const [{ pageInfo }] = await teamsOf('last: 2');
    const [teams] = await teamsOf(`last: 2, before: "${pageInfo.startCursor}"`);
    const { hasPreviousPage, hasNextPage } = teams.pageInfo;
    expect({ ids: idsOf(teams), hasPreviousPage, hasNextPage }).toEqual({
      ids: ['c1-2', 'c1-3'],
      hasPreviousPage: true,
      hasNextPage: true,
    });
  });
});

test('the cost limit counts `last` like `first`', async () => {
  const query =
    '{ tournaments(last: 100) { nodes { teams(last: 100) { nodes { registrations(last: 100) { nodes { id } } } } } } }';
  expect((await app.graphql(query)).errors[0]).toMatch(/at most 200000/);
});
