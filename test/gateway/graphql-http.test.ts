import { auditServer } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'accounts' });
});
afterAll(() => app.close());

test('/graphql keeps the GraphQL over HTTP specification', async () => {
  const results = await auditServer({ url: `${app.origin}/graphql` });
  expect(results.filter(({ status }) => status === 'error').map(({ id, name }) => `${id} ${name}`)).toEqual([]);
});

const post = async (
  body: string,
  tokens: Record<string, string> = { 'pb-api-token': app.platform.platform },
  path = '/graphql',
) => {
  const response = await fetch(`${app.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body,
  });
  const { errors } = await response.json();
  return [response.status, errors?.[0]?.message, errors?.[0]?.extensions?.code];
};
const run = (query: string, variables?: object) => post(JSON.stringify({ query, variables }));
const save = (input: object) => run('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });

test.each([
  ['malformed JSON', '{"password": "hush"', 400, 'body: expected a JSON object', 'BAD_INPUT'],
  ['an empty object', '{}', 400, 'body: expected a JSON object with a query', 'BAD_INPUT'],
  ['a list', '[{ "query": "{ viewer { id } }" }]', 400, 'body: expected a JSON object with a query', 'BAD_INPUT'],
  ['null', 'null', 400, 'body: expected a JSON object', 'BAD_INPUT'],
  ['a query that is none', '{ "query": "{" }', 400, expect.stringMatching(/Syntax Error/), 'BAD_INPUT'],
  [
    'a body of two megabytes',
    JSON.stringify({ query: 'x'.repeat(2e6) }),
    413,
    'body: expected at most 1048576 bytes',
    'TOO_LARGE',
  ],
  [
    'variables of a thousand levels',
    `{ "query": "{ viewer { id } }", "variables": { "a": ${'['.repeat(1000)}${']'.repeat(1000)} } }`,
    400,
    'body: expected at most 100 levels of nesting',
    'BAD_INPUT',
  ],
])('%s is refused by both servers, with a code of the table', async (_, body, ...refusal) => {
  const answers = await Promise.all(['/graphql', '/subgraphs/accounts'].map((path) => post(body, undefined, path)));
  expect(answers).toEqual([refusal, refusal]);
});

test('an answer that holds a part of what was asked for is a 200', async () => {
  const { user } = await app.person();
  const query = '{ viewer { firstName } discountCode(id: "x") { id } }';
  const [partly, nothing] = await Promise.all(
    [query, '{ discountCode(id: "x") { id } }'].map((text) => post(JSON.stringify({ query: text }), { 'pb-user-token': user })),
  );
  expect([partly, nothing]).toEqual([
    [200, 'only for: platform', 'FORBIDDEN'],
    [403, 'only for: platform', 'FORBIDDEN'],
  ]);
});

test.each([
  ['a latitude of 91', { location: { latitude: 91 } }, /^input\.location\.latitude: expected a number from -90 to 90/],
  ['a NUL character', { title: 'a\0b' }, /^input\.title: expected text without NUL characters/],
  ['a title of 200 kB', { title: 'x'.repeat(200_000) }, /^input\.title: expected at most 10000 characters/],
  ['a text for a number', { registrationCount: 'many' }, /^input\.registrationCount: expected an integer of 32 bits$/],
  ['a day that does not exist', { startsAt: '2026-02-30T00:00:00Z' }, /^input\.startsAt: expected .*timestamp/],
  ['an unknown field', { colour: 'red' }, /^input\.colour: expected a field of TournamentInput/],
])('%s is a 400 that names the field', async (_, input, message) => {
  expect(await save({ id: 'bad', ...input })).toEqual([400, expect.stringMatching(message), 'BAD_INPUT']);
});

test.each([
  ['a negative page size', '{ teams(first: -1) { nodes { id } } }', /^first: expected an integer from 0 to 100/],
  ['a negative offset', '{ teams(offset: -1) { nodes { id } } }', /^offset: expected an integer of 0 or more/],
  ['a cursor that is none', '{ teams(after: "nonsense") { nodes { id } } }', /after: expected a cursor/],
  [
    'an unknown enumeration value',
    '{ teams(orderBy: [{ field: COLOUR }]) { nodes { id } } }',
    /^orderBy\[0\]\.field: expected one of .*SEED/,
  ],
  [
    'a filter of 201 conditions',
    `{ teams(filter: { or: [${'{ seed: { eq: 1 } } '.repeat(101)}{ not: { and: [${'{ id: { eq: "x" } } '.repeat(99)}] } }] }) { totalCount } }`,
    /^filter: expected at most 200 conditions/,
  ],
  [
    'a search for 1,001 characters',
    `{ leagues(filter: { title: { contains: "${'x'.repeat(1001)}" } }) { totalCount } }`,
    /^filter\.title\.contains: expected at most 1000 characters/,
  ],
  [
    'a search of a novel',
    `{ tournaments(filter: { search: "${'x'.repeat(201)}" }) { totalCount } }`,
    /^filter\.search: expected at most 200 characters/,
  ],
  [
    'an order by 11 fields',
    `{ teams(orderBy: [${'{ field: SEED } '.repeat(11)}]) { totalCount } }`,
    /^orderBy: expected at most 10 fields/,
  ],
  [
    'a text for a value of an enumeration',
    '{ reactions(filter: { kind: { eq: "SAD" } }) { totalCount } }',
    /^filter\.kind\.eq: expected one of .*SAD/,
  ],
  ['a part of a value of an enumeration', '{ reactions(filter: { kind: { contains: "SA" } }) { totalCount } }', /contains/],
  [
    'an answer of a million rows',
    '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { registrations(first: 100) { nodes { id } } } } } } }',
    /at most 200000/,
  ],
  ['a depth of 40', `{ ${'team(id: "1") { tournament { teams { nodes { '.repeat(10)} id ${'} } } }'.repeat(10)} }`, /./],
])('%s is a 400', async (_, query, message) => {
  expect(await run(query)).toEqual([400, expect.stringMatching(message), expect.any(String)]);
});

test('a cursor of another list is a 400', async () => {
  await save({ id: 'a', title: 'A' });
  const { tournaments } = await app.graphql('{ tournaments { pageInfo { endCursor } } }');
  const [status, message] = await run(`{ teams(after: "${tournaments.pageInfo.endCursor}") { nodes { id } } }`);
  expect([status, message]).toEqual([400, 'after: expected a cursor of this list in this order']);
});

test('bad input stores nothing', async () => {
  await save({ id: 'half', title: 'fine', location: { latitude: 91 } });
  expect(await app.graphql('{ tournament(id: "half") { id } }')).toEqual({ tournament: null });
});

test('no token is a 401, a garbage token too', async () => {
  const query = JSON.stringify({ query: '{ teams { nodes { id } } }' });
  expect([(await post(query, {}))[0], (await post(query, { 'pb-api-token': 'garbage' }))[0]]).toEqual([401, 401]);
});

test('a user may not do what is for platforms', async () => {
  const { user } = await app.person();
  expect((await post(JSON.stringify({ query: 'mutation { deleteTeam(id: "x") { id } }' }), { 'pb-user-token': user }))[0]).toBe(
    403,
  );
});
