import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const starts = { c1: at(3), c2: null, c3: at(1), c4: at(3), c5: null, c6: at(2), c7: null };
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

interface Shown {
  nodes: { id: string }[];
  edges: { cursor: string }[];
  pageInfo: { hasPreviousPage: boolean; hasNextPage: boolean; startCursor: string | null; endCursor: string | null };
}
type Page = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the data of an answer
type Data = any;

const shown = 'nodes { id } edges { cursor } pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';
const idsOf = ({ nodes }: Shown) => nodes.map(({ id }) => id);

/** A list by its text: `$page` stands where the arguments of paging go. */
const reader = (list: string, at: (data: Data) => Shown) => async (page: Page) => {
  const args = Object.entries(page).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return at(await app.graphql(list.replace('$page', args.join(', ')).replace('$shown', shown)));
};
type Read = ReturnType<typeof reader>;

async function walk(read: Read, from: (cursor?: string) => Page): Promise<string[][]> {
  const pages: string[][] = [];
  const isForward = 'first' in from();
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await read(from(cursor));
    pages.push(idsOf(page));
    more = isForward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
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
  const read = reader(`{ tournaments($page ${order}) { $shown } }`, ({ tournaments }: Data) => tournaments);

  test('is the same from both ends', async () => {
    const [whole = []] = await walk(read, () => ({ first: 100 }));
    const forward = await walk(read, (after) => ({ first: 2, ...(after && { after }) }));
    const backward = await walk(read, (before) => ({ last: 2, ...(before && { before }) }));
    expect([whole.length, forward.flat(), backward.toReversed().flat()]).toEqual([7, whole, whole]);
    expect(backward.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
  });
});

/** The cursors of seven items, called a to g, and what a page of them is. */
async function lettered(read: Read) {
  const whole = await read({ first: 100 });
  const cursors = Object.fromEntries(whole.edges.map(({ cursor }, index) => ['abcdefg'.charAt(index), cursor]));
  const letters = new Map(idsOf(whole).map((id, index) => [id, 'abcdefg'.charAt(index)]));
  return async (page: Page) => {
    const args = Object.entries(page).map(([name, value]) => [name, cursors[String(value)] ?? value]);
    const found = await read(Object.fromEntries(args));
    const { hasPreviousPage, hasNextPage, startCursor, endCursor } = found.pageInfo;
    const ends = [found.edges.at(0)?.cursor ?? null, found.edges.at(-1)?.cursor ?? null];
    expect([startCursor, endCursor]).toEqual(ends);
    return `${hasPreviousPage ? '<' : ''}${idsOf(found)
      .map((id) => letters.get(id))
      .join('')}${hasNextPage ? '>' : ''}`;
  };
}

describe.each([
  ['a list', '{ tournaments($page filter: {}) { $shown } }', ({ tournaments }: Data) => tournaments],
  ['a list of a record', '{ game(id: "seven") { players($page filter: {}) { $shown } } }', ({ game }: Data) => game.players],
])('%s: what precedes and follows a page', (_, text, at) => {
  beforeAll(async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, async () => (await app.person()).id));
    await app.sql.rows(`insert into game (id, player_ids) values ('seven', $1) on conflict do nothing`, [ids.reverse()]);
  });

  test.each<[Page, string]>([
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
    const read = await lettered(reader(text, at));
    expect(await read(page)).toBe(expected);
  });
});

describe.each([
  ['a list', (page: string) => `{ tournaments(${page}) { totalCount } }`],
  ['a list of a record', (page: string) => `{ tournament(id: "c1") { teams(${page}) { nodes { id } } } }`],
  ['players of a game', (page: string) => `{ game(id: "seven") { players(${page}) { totalCount } } }`],
  ['a ranking', (page: string) => `{ rankings(${page}) { totalCount } }`],
  ['reactions', (page: string) => `{ newsReactions(newsItemId: "none", ${page}) { totalCount } }`],
])('%s', (_, text) => {
  const counts = 'offset: expected no value where the end of a list is asked for: it counts from the front';
  test.each([
    ['first: 1, last: 1', 'last: expected no value beside `first`'],
    ['last: -1', 'last: expected an integer from 0 to 100'],
    ['last: 101', 'last: expected an integer from 0 to 100'],
    ['last: 5, offset: 1', counts],
    ['before: "x", offset: 1', counts],
  ])('refuses %s', async (page, message) => {
    const { errors } = await app.graphql(text(page));
    expect(errors[0]).toContain(`BAD_INPUT: ${message}`);
  });
});

test('a cursor is of its list, also as `before`', async () => {
  const { tournaments } = await app.graphql('{ tournaments { pageInfo { startCursor } } }');
  const { errors } = await app.graphql(`{ teams(last: 1, before: "${tournaments.pageInfo.startCursor}") { nodes { id } } }`);
  expect(errors).toEqual(['BAD_INPUT: before: expected a cursor of this list in this order']);
});

describe('lists of many records', () => {
  const query = (page: string) =>
    `{ tournaments(orderBy: [{ field: ID }]) { nodes { teams(${page} orderBy: [{ field: SEED }]) { nodes { id } pageInfo { hasPreviousPage hasNextPage startCursor } } } } }`;
  const teamsOf = async (page: string) =>
    (await app.graphql(query(page))).tournaments.nodes.map(({ teams }: { teams: Shown }) => teams);

  test('are read from their ends, in one statement', async () => {
    const one = await statementsOf(app, () => app.graphql(query('first: 2').replace('(orderBy', '(first: 1, orderBy')));
    const [some, all] = [await teamsOf('last: 2'), await statementsOf(app, () => teamsOf('last: 2'))];
    expect([some.map(idsOf), all]).toEqual([[1, 2, 3, 4, 5, 6, 7].map((n) => [`c${n}-4`, `c${n}-5`]), one]);
  });

  test('go on from there', async () => {
    const [{ pageInfo }] = await teamsOf('last: 2');
    const [first] = await teamsOf(`last: 2, before: "${pageInfo.startCursor}"`);
    expect([idsOf(first), first.pageInfo.hasPreviousPage, first.pageInfo.hasNextPage]).toEqual([['c1-2', 'c1-3'], true, true]);
  });
});

test('what an answer costs counts `last` as it counts `first`', async () => {
  const query =
    '{ tournaments(last: 100) { nodes { teams(last: 100) { nodes { registrations(last: 100) { nodes { id } } } } } } }';
  expect((await app.graphql(query)).errors[0]).toMatch(/at most 200000/);
});
