import { afterAll, beforeAll, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'tournaments,accounts' });
  await app.graphql('mutation { upsertTournament(input: { id: "open" }) { id } }');
});
afterAll(() => app.close());

const timestamp = 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';
const decimal = 'a decimal number with at most 30 digits before and 20 after the point';

const post = (path: string, query: string, variables: object) =>
  fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...routerHeaders },
    body: JSON.stringify({ query, variables }),
  });

const errorsOf = async (path: string, query: string, variables: object) =>
  (await (await post(path, query, variables)).json()).errors;

type Problems = [field: string, expected: string][];

/** Returns the error that reports the given problems. */
const errorWith = (problems: Problems, ...locations: [line: number, column: number][]) => ({
  message: problems.map(([field, expected]) => `${field}: expected ${expected}`).join('; '),
  ...(locations.length ? { locations: locations.map(([line, column]) => ({ line, column })) } : {}),
  extensions: {
    code: 'BAD_INPUT',
    field: problems[0]?.[0],
    expected: problems[0]?.[1],
    problems: problems.map(([field, expected]) => ({ field, expected })),
  },
});

/** Returns the errors of an operation at `/graphql` and at a subgraph, which must be equal. */
async function errorsOfBoth(query: string, variables: object = {}, module = 'tournaments') {
  const [graph, subgraph] = await Promise.all([
    errorsOf('/graphql', query, variables),
    errorsOf(`/subgraphs/${module}`, query, variables),
  ]);
  expect(subgraph).toEqual(graph);
  return graph;
}

const upsert = 'mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }';

test('one error reports all problems of an input: wrong types, unknown fields, enums, and broken rules', async () => {
  const input = {
    startsAt: '2026-12-01',
    title: 'x'.repeat(10_001),
    registrationFee: 'free',
    location: { latitude: 91, longitude: 'west' },
    sanctions: [{ body: 'PPA' }, { body: 'NBA', isSanctioned: 1 }],
    colour: 'red',
  };
  const [error, ...otherErrors] = await errorsOfBoth(upsert, { input });
  const problems: { field: string; expected: string }[] = error.extensions.problems;
  expect(otherErrors).toEqual([]);
  expect(Object.fromEntries(problems.map(({ field, expected }) => [field, expected]))).toEqual({
    'input.startsAt': timestamp,
    'input.title': 'at most 10000 characters',
    'input.registrationFee': decimal,
    'input.location.latitude': 'a number from -90 to 90',
    'input.location.longitude': 'a number',
    'input.sanctions[1].body': expect.stringMatching(/^one of .*PPA/),
    'input.sanctions[1].isSanctioned': 'true or false',
    'input.colour': 'a field of TournamentInput',
  });
});

test('one error reports all broken rules of an input', async () => {
  const input = {
    id: '',
    title: 'a\0b',
    location: { latitude: 91, longitude: -181 },
    approvals: [{}, { legacy: { status: '\ud83d' } }],
  };
  const [error] = await errorsOfBoth(upsert, { input });
  expect(error).toEqual({
    ...errorWith(
      [
        ['input.id', 'an id of 1 to 255 characters'],
        ['input.title', 'text without NUL characters'],
        ['input.location.latitude', 'a number from -90 to 90'],
        ['input.location.longitude', 'a number from -180 to 180'],
        ['input.approvals[1].legacy.status', 'well-formed Unicode text'],
      ],
      [1, 39],
    ),
    path: ['upsertTournament'],
  });
});

test('an error reports at most fifty problems', async () => {
  const [error] = await errorsOfBoth('query ($ids: [ID!]) { teams(filter: { id: { in: $ids } }) { totalCount } }', {
    ids: Array(10_000).fill({}),
  });
  expect(error.extensions.problems.map(({ field }: { field: string }) => field)).toEqual(
    Array.from({ length: 50 }, (_, index) => `filter.id.in[${index}]`),
  );
});

test.each<[string, string, object, Problems, [number, number][]]>([
  [
    'a part of a filter',
    'query ($t: Instant) { tournaments(filter: { or: [{ startsAt: { gte: $t } }] }) { totalCount } }',
    { t: '2026' },
    [['filter.or[0].startsAt.gte', timestamp]],
    [[1, 8]],
  ],
  [
    'an argument in a fragment',
    'query ($n: Int, $id: ID!) { tournament(id: $id) { ...Teams } } fragment Teams on Tournament { teams(first: $n) { totalCount } }',
    { n: 2.5, id: 7.5 },
    [
      ['first', 'a 32-bit integer'],
      ['id', 'a string or an integer'],
    ],
    [
      [1, 8],
      [1, 17],
    ],
  ],
  ['a missing required variable', 'query (\n  $id: ID!\n) { team(id: $id) { id } }', {}, [['id', 'a value']], [[2, 3]]],
  [
    'null for a non-null variable',
    'query ($way: Direction = DESC) { teams(orderBy: [{ field: SEED, direction: $way }]) { totalCount } }',
    { way: null },
    [['orderBy[0].direction', 'a value']],
    [[1, 8]],
  ],
  [
    'a single value for a list',
    'query ($by: [TeamOrder!]) { teams(orderBy: $by) { totalCount } }',
    { by: { direction: 'UP' } },
    [
      ['orderBy.field', 'a value'],
      ['orderBy.direction', 'one of ASC, DESC'],
    ],
    [[1, 8]],
  ],
  ['a list for an input object', upsert, { input: [] }, [['input', 'an object']], [[1, 11]]],
  [
    'a directive',
    'query ($yes: Boolean!) { team(id: "x") { id @include(if: $yes) } }',
    { yes: 'yes' },
    [['if', 'true or false']],
    [[1, 8]],
  ],
])('a problem of a variable has the path of the argument that uses it: %s', async (_, query, variables, problems, locations) => {
  expect(await errorsOfBoth(query, variables)).toEqual([errorWith(problems, ...locations)]);
});

test.each<[string, string, [Problems, number, number][]]>([
  [
    'a scalar',
    '{ tournaments(filter: {startsAt: {gte: "2026-12-01"}}) { totalCount } }',
    [[[['filter.startsAt.gte', timestamp]], 1, 40]],
  ],
  [
    'several fields of an input',
    'mutation {\n  upsertTournament(input: {\n    registrationFee: "free"\n    location: { latitude: "north" }\n    title: null, unknownField: "red", sanctions: {}\n  }) { id }\n}',
    [
      [[['input.registrationFee', decimal]], 3, 22],
      [[['input.location.latitude', 'a number']], 4, 27],
      [[['input.unknownField', 'a field of TournamentInput']], 5, 18],
    ],
  ],
  [
    'null and a fraction',
    '{ team(id: null) { id } teams(offset: 2.5) { totalCount } }',
    [
      [[['id', 'a value']], 1, 12],
      [[['offset', 'a 32-bit integer']], 1, 39],
    ],
  ],
  [
    'an enum in a list',
    '{ teams(orderBy: [{ field: SEED, direction: "UP" }]) { totalCount } }',
    [[[['orderBy[0].direction', 'one of ASC, DESC']], 1, 45]],
  ],
  ['an object for a string', '{ team(id: {}) { id } }', [[[['id', 'a string or an integer']], 1, 12]]],
  [
    'a default value',
    'query ($t: Instant = "2026") { tournaments(filter: { endsAt: { lt: $t } }) { totalCount } }',
    [[[['filter.endsAt.lt', timestamp]], 1, 22]],
  ],
])('an invalid literal is reported once, with its location and path: %s', async (_, query, errors) => {
  expect(await errorsOfBoth(query)).toEqual(errors.map(([problems, line, column]) => errorWith(problems, [line, column])));
});

test('one error reports all missing fields of a literal, and no error contains its values', async () => {
  const query = 'mutation { login(input: { browser: 7, machineName: ["hunter2"] }) { token } }';
  expect(await errorsOfBoth(query, {}, 'accounts')).toEqual([
    errorWith(
      [
        ['input.email', 'a value'],
        ['input.password', 'a value'],
      ],
      [1, 25],
    ),
    errorWith([['input.browser', 'a string']], [1, 36]),
    errorWith([['input.machineName', 'a string']], [1, 52]),
  ]);
});

test('other validation errors keep their message and location, and have a documented code', async () => {
  expect(await errorsOfBoth('{ team(id: "x") { id colour } }')).toEqual([
    {
      message: 'Cannot query field "colour" on type "Team".',
      locations: [{ line: 1, column: 22 }],
      extensions: { code: 'BAD_INPUT' },
    },
  ]);
});

test.each([
  ['an invalid variable', 'query ($n: Int) { teams(first: $n) { totalCount } }', { n: 'many' }],
  ['an invalid literal', '{ teams(first: "many") { totalCount } }', {}],
  [
    'an operation above the cost limit',
    '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { tournament { teams(first: 100) { nodes { id } } } } } } } }',
    {},
  ],
])('both servers respond with 400 to %s', async (_, query, variables) => {
  const graph = await post('/graphql', query, variables);
  const subgraph = await post('/subgraphs/tournaments', query, variables);
  expect({ graph: graph.status, subgraph: subgraph.status }).toEqual({ graph: 400, subgraph: 400 });
});
