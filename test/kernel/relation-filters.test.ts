import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(`insert into category (id, title) values ('gear', 'Gear')`);
  await app.graphql(`mutation {
    a: upsertTournament(input: { id: "austin", title: "Austin Open", platform: "r" }) { id }
    b: upsertTournament(input: { id: "boston", title: "Boston Classic", platform: "r" }) { id }
    c: upsertTournament(input: { id: "empty", title: "Austin without events", platform: "r" }) { id }
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

/** Returns the IDs of the records that match a filter, or the errors. */
async function find(type: keyof typeof list, filter: object) {
  const many = list[type];
  const answer = await app.graphql(
    `query ($filter: ${type}Filter) { records: ${many}(filter: $filter, orderBy: [{ field: ID }]) { totalCount nodes { id } } }`,
    { filter },
  );
  if (!answer.records) return answer.errors;
  expect(answer.records.totalCount).toBe(answer.records.nodes.length);
  return answer.records.nodes.map(({ id }: { id: string }) => id);
}

/** Filter that matches only the tournaments created above. */
const testTournaments = { platform: { eq: 'r' } };
const mixed = { formatId: { eq: '5' } };

test.each<[string, keyof typeof list, object, string[]]>([
  ['a foreign key, by a value of its record', 'Team', { tournament: { title: { contains: 'austin' } } }, ['one']],
  ['a foreign key, by the existence of its record', 'Team', { tournament: {} }, ['one', 'two']],
  ['a foreign key, by the absence of its record', 'Team', { not: { tournament: {} } }, ['stray']],
  ['a list, by `some`', 'Tournament', { events: { some: mixed } }, ['austin', 'boston']],
  [
    'a list, by conditions that one row must all meet',
    'Tournament',
    { events: { some: { ...mixed, isCanceled: false } } },
    ['boston'],
  ],
  [
    'a list, by `some` and `none`, each about different rows',
    'Tournament',
    { events: { some: mixed, none: { isCanceled: true } } },
    ['boston'],
  ],
  ['a list, by `none`', 'Tournament', { ...testTournaments, events: { none: mixed } }, ['empty']],
  ['a list, if it is not empty', 'Tournament', { ...testTournaments, events: { some: {} } }, ['austin', 'boston']],
  ['a list, if it is empty', 'Tournament', { ...testTournaments, events: { none: {} } }, ['empty']],
  ['a list, by no condition', 'Tournament', { ...testTournaments, events: {} }, ['austin', 'boston', 'empty']],
  [
    'own values or a relation, by `or`',
    'Tournament',
    { ...testTournaments, or: [{ title: { eq: 'Austin Open' } }, { teams: { some: { playerTwoId: { eq: 'ana' } } } }] },
    ['austin', 'boston'],
  ],
  [
    'a path of three relations',
    'TournamentEvent',
    { tournament: { teams: { some: { playerOne: { firstName: { eq: 'Ben' } } } } } },
    ['b-mixed'],
  ],
  [
    'a relation and its inverse',
    'TournamentEvent',
    { tournament: { events: { some: { id: { eq: 'singles' } } } } },
    ['mixed', 'singles'],
  ],
  [
    'a relation through another type, by `some`',
    'Tournament',
    { players: { some: { firstName: { eq: 'Ana' } } } },
    ['austin', 'boston'],
  ],
  [
    'a relation through another type, by `none`',
    'Tournament',
    { ...testTournaments, players: { none: { firstName: { eq: 'Ben' } } } },
    ['austin', 'empty'],
  ],
  [
    'a relation to its own type through another type',
    'User',
    { teams: { some: { playerOne: { id: { eq: 'ben' } } } } },
    ['ana', 'ben'],
  ],
  ['a list of foreign keys, by `some`', 'NewsItem', { categories: { some: { title: { startsWith: 'ge' } } } }, ['shoes']],
  ['a list of foreign keys, by `none`', 'NewsItem', { categories: { none: {} } }, ['rules']],
  ['the inverse of a list of foreign keys', 'Category', { news: { some: { author: { firstName: { eq: 'Ana' } } } } }, ['gear']],
])('a filter matches %s', async (_, type, filter, ids) => expect(await find(type, filter)).toEqual(ids));

test('a filter across three relations takes one statement', async () => {
  const filter = { events: { some: { teams: { some: { playerOne: { firstName: { eq: 'Ana' } } } } } } };
  const query = 'query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { id } } }';
  expect(await statementsOf(app, () => app.graphql(query, { filter }))).toBe(1);
});

test('a relation filter applies to the nodes and the count of a list of a record', async () => {
  const query = `{ user(id: "ana") { teams(filter: { event: { format: { title: { eq: "Mixed Doubles" } } } }) { totalCount nodes { id } } } }`;
  expect(await app.graphql(query)).toEqual({ user: { teams: { totalCount: 1, nodes: [{ id: 'two' }] } } });
});

describe('a relation filter is rejected with the path of the problem', () => {
  const fourRelations = { teams: { some: { event: { tournament: { events: { some: {} } } } } } };
  test.each<[string, object, string]>([
    [
      'for more than three relations',
      { or: [fourRelations] },
      'filter.or[0].teams.some.event.tournament.events: expected at most 3 nested relations',
    ],
    [
      'for a wrong value of a related record',
      { events: { none: { title: { contains: 'x'.repeat(1001) } } } },
      'filter.events.none.title.contains: expected at most 1000 characters',
    ],
    [
      'for too many conditions',
      { or: Array.from({ length: 19 }, () => ({ events: { some: {} } })) },
      'filter: expected at most 200 conditions, where each relation counts as 10',
    ],
  ])('%s', async (_, filter, message) => expect(await find('Tournament', filter)).toEqual([`BAD_INPUT: ${message}`]));

  test('for all problems together', async () => {
    const nullId = { id: { eq: null } };
    expect(await find('Tournament', { events: { some: nullId }, teams: { some: { event: nullId } } })).toEqual([
      'BAD_INPUT: filter.teams.some.event.id.eq: expected a value (use isNull to match unset values); filter.events.some.id.eq: expected a value (use isNull to match unset values)',
    ]);
  });
});

test('a relation that is not declared filterable is not in the filter', async () => {
  expect({
    one: await find('Tournament', { tierLevel: { title: { eq: 'Gold' } } }),
    many: await find('Tournament', { referees: { some: {} } }),
  }).toEqual({
    one: [expect.stringContaining('BAD_INPUT: filter.tierLevel: expected a field of TournamentFilter')],
    many: [expect.stringContaining('BAD_INPUT: filter.referees: expected a field of TournamentFilter')],
  });
});
