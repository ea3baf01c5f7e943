import { afterAll, beforeAll, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'tournaments,accounts' });
  await app.graphql('mutation { upsertTournament(input: { id: "open" }) { id } }');
});
afterAll(() => app.close());

const timestamp = 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';
const decimal = 'a decimal number with at most 30 digits before and 20 after the point';

const send = (path: string, query: string, variables: object) =>
  fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...asRouter },
    body: JSON.stringify({ query, variables }),
  });

const ask = async (path: string, query: string, variables: object) => (await (await send(path, query, variables)).json()).errors;

type Problems = [field: string, expected: string][];

/** An error that tells these problems, wherever it stands. */
const telling = (problems: Problems, ...locations: [line: number, column: number][]) => ({
  message: problems.map(([field, expected]) => `${field}: expected ${expected}`).join('; '),
  ...(locations.length ? { locations: locations.map(([line, column]) => ({ line, column })) } : {}),
  extensions: {
    code: 'BAD_INPUT',
    field: problems[0]?.[0],
    expected: problems[0]?.[1],
    problems: problems.map(([field, expected]) => ({ field, expected })),
  },
});

/** What both servers answer: they are asked for the same, and their errors must be alike. */
async function refused(query: string, variables: object = {}, module = 'tournaments') {
  const [graph, subgraph] = await Promise.all([ask('/graphql', query, variables), ask(`/subgraphs/${module}`, query, variables)]);
  expect(subgraph).toEqual(graph);
  return graph;
}

const save = 'mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }';

test('all wrong fields of an input are told at once: types, names, enumerations, and what is out of bounds', async () => {
  const input = {
    startsAt: '2026-12-01',
    title: 'x'.repeat(10_001),
    registrationFee: 'free',
    location: { latitude: 91, longitude: 'west' },
    sanctions: [{ body: 'PPA' }, { body: 'NBA', isSanctioned: 1 }],
    colour: 'red',
  };
  const [error, ...others] = await refused(save, { input });
  expect([
    others,
    Object.fromEntries(error.extensions.problems.map(({ field, expected }: Record<string, string>) => [field, expected])),
  ]).toEqual([
    [],
    {
      'input.startsAt': timestamp,
      'input.title': 'at most 10000 characters',
      'input.registrationFee': decimal,
      'input.location.latitude': 'a number from -90 to 90',
      'input.location.longitude': 'a number',
      'input.sanctions[1].body': expect.stringMatching(/^one of .*PPA/),
      'input.sanctions[1].isSanctioned': 'true or false',
      'input.colour': 'a field of TournamentInput',
    },
  ]);
});

test('what is out of bounds in an input is told at once', async () => {
  const input = { id: '', title: 'a\0b', location: { latitude: 91, longitude: -181 }, approvals: [{}, { statusRaw: '\ud83d' }] };
  const [error] = await refused(save, { input });
  expect(error).toEqual({
    ...telling(
      [
        ['input.id', 'an id of 1 to 255 characters'],
        ['input.title', 'text without NUL characters'],
        ['input.location.latitude', 'a number from -90 to 90'],
        ['input.location.longitude', 'a number from -180 to 180'],
        ['input.approvals[1].statusRaw', 'well-formed Unicode text'],
      ],
      [1, 39],
    ),
    path: ['upsertTournament'],
  });
});

test('an answer names fifty problems at most', async () => {
  const [error] = await refused('query ($ids: [ID!]) { teams(filter: { id: { in: $ids } }) { totalCount } }', {
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
      ['first', 'an integer of 32 bits'],
      ['id', 'a string or an integer'],
    ],
    [
      [1, 8],
      [1, 17],
    ],
  ],
  ['a required one that is missing', 'query (\n  $id: ID!\n) { team(id: $id) { id } }', {}, [['id', 'a value']], [[2, 3]]],
  [
    'one that must not be null',
    'query ($way: Direction = DESC) { teams(orderBy: [{ field: SEED, direction: $way }]) { totalCount } }',
    { way: null },
    [['orderBy[0].direction', 'a value']],
    [[1, 8]],
  ],
  [
    'a lone item of a list',
    'query ($by: [TeamOrder!]) { teams(orderBy: $by) { totalCount } }',
    { by: { direction: 'UP' } },
    [
      ['orderBy.field', 'a value'],
      ['orderBy.direction', 'one of ASC, DESC'],
    ],
    [[1, 8]],
  ],
  ['an input that is none', save, { input: [] }, [['input', 'an object']], [[1, 11]]],
  [
    'a directive',
    'query ($yes: Boolean!) { team(id: "x") { id @include(if: $yes) } }',
    { yes: 'yes' },
    [['if', 'true or false']],
    [[1, 8]],
  ],
])('a variable is called by the argument that takes it: %s', async (_, query, variables, problems, locations) => {
  expect(await refused(query, variables)).toEqual([telling(problems, ...locations)]);
});

test.each<[string, string, [Problems, number, number][]]>([
  [
    'a scalar',
    '{ tournaments(filter: {startsAt: {gte: "2026-12-01"}}) { totalCount } }',
    [[[['filter.startsAt.gte', timestamp]], 1, 40]],
  ],
  [
    'several of an input',
    'mutation {\n  upsertTournament(input: {\n    registrationFee: "free"\n    location: { latitude: "north" }\n    title: null, colour: "red", sanctions: {}\n  }) { id }\n}',
    [
      [[['input.registrationFee', decimal]], 3, 22],
      [[['input.location.latitude', 'a number']], 4, 27],
      [[['input.colour', 'a field of TournamentInput']], 5, 18],
    ],
  ],
  [
    'null and a fraction',
    '{ team(id: null) { id } teams(offset: 2.5) { totalCount } }',
    [
      [[['id', 'a value']], 1, 12],
      [[['offset', 'an integer of 32 bits']], 1, 39],
    ],
  ],
  [
    'an enumeration in a list',
    '{ teams(orderBy: [{ field: SEED, direction: "UP" }]) { totalCount } }',
    [[[['orderBy[0].direction', 'one of ASC, DESC']], 1, 45]],
  ],
  ['an object for a text', '{ team(id: {}) { id } }', [[[['id', 'a string or an integer']], 1, 12]]],
  [
    'a default',
    'query ($t: Instant = "2026") { tournaments(filter: { endsAt: { lt: $t } }) { totalCount } }',
    [[[['filter.endsAt.lt', timestamp]], 1, 22]],
  ],
])('a wrong literal names its place and its path, once: %s', async (_, query, wrong) => {
  expect(await refused(query)).toEqual(wrong.map(([problems, line, column]) => telling(problems, [line, column])));
});

test('fields that a literal lacks are told at once, and no secret is repeated', async () => {
  const query = 'mutation { login(input: { browser: 7, machineName: ["hunter2"] }) { token } }';
  expect(await refused(query, {}, 'accounts')).toEqual([
    telling(
      [
        ['input.email', 'a value'],
        ['input.password', 'a value'],
      ],
      [1, 25],
    ),
    telling([['input.browser', 'a string']], [1, 36]),
    telling([['input.machineName', 'a string']], [1, 52]),
  ]);
});

test('other errors of a document keep their words, their place and a code of the table', async () => {
  expect(await refused('{ team(id: "x") { id colour } }')).toEqual([
    {
      message: 'Cannot query field "colour" on type "Team".',
      locations: [{ line: 1, column: 22 }],
      extensions: { code: 'BAD_INPUT' },
    },
  ]);
});

test.each([
  ['a wrong variable', 'query ($n: Int) { teams(first: $n) { totalCount } }', { n: 'many' }],
  ['a wrong literal', '{ teams(first: "many") { totalCount } }', {}],
  [
    'too large an answer',
    '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { tournament { teams(first: 100) { nodes { id } } } } } } } }',
    {},
  ],
])('both servers answer 400 to %s', async (_, query, variables) => {
  const answers = await Promise.all(['/graphql', '/subgraphs/tournaments'].map((path) => send(path, query, variables)));
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
});
