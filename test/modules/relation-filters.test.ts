import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(`insert into category (id, title) values ('gear', 'Gear')`);
  await app.graphql(`mutation {
    a: upsertTournament(input: { id: "austin", title: "Austin Open", platformRaw: "r" }) { id }
    b: upsertTournament(input: { id: "boston", title: "Boston Classic", platformRaw: "r" }) { id }
    c: upsertTournament(input: { id: "empty", title: "Austin without events", platformRaw: "r" }) { id }
    d: upsertEvent(input: { id: "singles", tournamentId: "austin", formatId: "1" }) { id }
    e: upsertEvent(input: { id: "mixed", tournamentId: "austin", formatId: "5", isCanceled: true }) { id }
    f: upsertEvent(input: { id: "b-mixed", tournamentId: "boston", formatId: "5" }) { id }
    g: upsertTeam(input: { id: "one", tournamentId: "austin", eventId: "singles", playerOneId: "ana" }) { id }
    h: upsertTeam(input: { id: "two", tournamentId: "boston", eventId: "b-mixed", playerOneId: "ben", playerTwoId: "ana" }) { id }
    i: upsertTeam(input: { id: "stray", playerOneId: "cho", tournamentId: "none" }) { id }
    j: upsertUser(input: { id: "ana", firstName: "Ana" }) { id }
    k: upsertUser(input: { id: "ben", firstName: "Ben" }) { id }
    l: upsertUser(input: { id: "cho", firstName: "Cho" }) { id }
    n: createNewsItem(input: { id: "shoes", title: "Shoes", categoryIds: ["gear", "gone"], authorId: "ana" }) { id }
    o: createNewsItem(input: { id: "rules", title: "Rules", categoryIds: ["gone"] }) { id }
  }`);
});
afterAll(() => app.close());

const list = {
  Tournament: 'tournaments',
  Team: 'teams',
  User: 'users',
  NewsItem: 'news',
  TournamentEvent: 'events',
  Category: 'categories',
};

/** Ids of the records that a filter lets through, or the errors. */
async function find(type: keyof typeof list, filter: object) {
  const many = list[type];
  const answer = await app.graphql(
    `query ($filter: ${type}Filter) { found: ${many}(filter: $filter, orderBy: [{ field: ID }]) { totalCount nodes { id } } }`,
    { filter },
  );
  if (!answer.found) return answer.errors;
  expect(answer.found.totalCount).toBe(answer.found.nodes.length);
  return answer.found.nodes.map(({ id }: { id: string }) => id);
}

const among = { platformRaw: { eq: 'r' } };
const mixed = { formatId: { eq: '5' } };

test.each<[string, keyof typeof list, object, string[]]>([
  ['the record that a key names', 'Team', { tournament: { title: { contains: 'austin' } } }, ['one']],
  ['that there is such a record', 'Team', { tournament: {} }, ['one', 'two']],
  ['that there is none', 'Team', { not: { tournament: {} } }, ['stray']],
  ['some of a list', 'Tournament', { events: { some: mixed } }, ['austin', 'boston']],
  ['one row that meets all', 'Tournament', { events: { some: { ...mixed, isCanceled: false } } }, ['boston']],
  ['different rows', 'Tournament', { events: { some: mixed, none: { isCanceled: true } } }, ['boston']],
  ['none of a list', 'Tournament', { ...among, events: { none: mixed } }, ['empty']],
  ['that a list is not empty', 'Tournament', { ...among, events: { some: {} } }, ['austin', 'boston']],
  ['that a list is empty', 'Tournament', { ...among, events: { none: {} } }, ['empty']],
  ['nothing', 'Tournament', { ...among, events: {} }, ['austin', 'boston', 'empty']],
  [
    'one way or another',
    'Tournament',
    { ...among, or: [{ title: { eq: 'Austin Open' } }, { teams: { some: { playerTwoId: { eq: 'ana' } } } }] },
    ['austin', 'boston'],
  ],
  [
    'three steps',
    'TournamentEvent',
    { tournament: { teams: { some: { playerOne: { firstName: { eq: 'Ben' } } } } } },
    ['b-mixed'],
  ],
  [
    'both ways of one key',
    'TournamentEvent',
    { tournament: { events: { some: { id: { eq: 'singles' } } } } },
    ['mixed', 'singles'],
  ],
  ['a relation that no key holds', 'Tournament', { players: { some: { firstName: { eq: 'Ana' } } } }, ['austin', 'boston']],
  ['none of such a relation', 'Tournament', { ...among, players: { none: { firstName: { eq: 'Ben' } } } }, ['austin', 'empty']],
  ['a relation to the own kind, past another', 'User', { teams: { some: { playerOne: { id: { eq: 'ben' } } } } }, ['ana', 'ben']],
  ['the records of a list of keys', 'NewsItem', { categories: { some: { title: { startsWith: 'ge' } } } }, ['shoes']],
  ['none of a list of keys', 'NewsItem', { categories: { none: {} } }, ['rules']],
  ['those that hold a key in a list', 'Category', { news: { some: { author: { firstName: { eq: 'Ana' } } } } }, ['gear']],
])('a filter asks for %s', async (_, type, filter, ids) => expect(await find(type, filter)).toEqual(ids));

test('it is one statement', async () => {
  const filter = { events: { some: { teams: { some: { playerOne: { firstName: { eq: 'Ana' } } } } } } };
  const query = 'query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { id } } }';
  expect(await statementsOf(app, () => app.graphql(query, { filter }))).toBe(1);
});

test('it holds in the lists of a record, too, and for their counts', async () => {
  const query = `{ user(id: "ana") { teams(filter: { event: { format: { title: { eq: "Mixed Doubles" } } } }) { totalCount nodes { id } } } }`;
  expect(await app.graphql(query)).toEqual({ user: { teams: { totalCount: 1, nodes: [{ id: 'two' }] } } });
});

describe('what is wrong is told with its path', () => {
  const deep = { teams: { some: { event: { tournament: { events: { some: {} } } } } } };
  test.each<[string, object, string]>([
    [
      'too many steps',
      { or: [deep] },
      'filter.or[0].teams.some.event.tournament.events: expected at most 3 steps from record to record',
    ],
    [
      'a wrong value behind a step',
      { events: { none: { title: { contains: 'x'.repeat(1001) } } } },
      'filter.events.none.title.contains: expected at most 1000 characters',
    ],
    [
      'too many conditions',
      { or: Array.from({ length: 19 }, () => ({ events: { some: {} } })) },
      'filter: expected at most 200 conditions, a step to another record counting as 10',
    ],
  ])('%s', async (_, filter, message) => expect(await find('Tournament', filter)).toEqual([`BAD_INPUT: ${message}`]));

  test('all at once', async () => {
    const none = { id: { eq: null } };
    expect(await find('Tournament', { events: { some: none }, teams: { some: { event: none } } })).toEqual([
      'BAD_INPUT: filter.events.some.id.eq: expected a value, because isNull asks for unset ones; filter.teams.some.event.id.eq: expected a value, because isNull asks for unset ones',
    ]);
  });
});
