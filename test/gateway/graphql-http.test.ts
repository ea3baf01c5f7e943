import { auditServer } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'accounts' });
});
afterAll(() => app.close());

test('/graphql keeps the GraphQL over HTTP specification', async () => {
  const results = await auditServer({ url: `${app.origin}/graphql` });
  expect(results.filter(({ status }) => status !== 'ok').map(({ id, name }) => `${id} ${name}`)).toEqual([]);
});

const post = async (
  body: string,
  tokens: Record<string, string> = { 'pb-api-token': app.platform.platform },
  path = '/graphql',
) => {
  const response = await fetch(`${app.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asRouter, ...tokens },
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

test('what was executed is a 200, whatever became of its fields and whatever type is asked for, by both servers', async () => {
  const { user } = await app.person();
  const answers: unknown[] = [];
  for (const accept of ['application/json', 'application/graphql-response+json', '*/*'])
    for (const path of ['/graphql', '/subgraphs/accounts']) {
      const headers = { 'pb-user-token': user, accept };
      answers.push(
        await post(JSON.stringify({ query: '{ viewer { firstName } userByEmail(email: "x") { id } }' }), headers, path),
      );
      answers.push(await post(JSON.stringify({ query: '{ userByEmail(email: "x") { id } }' }), headers, path));
      answers.push(await post(JSON.stringify({ query: '{ emailLookup(email: "x") { isValid } }' }), { accept }, path));
    }
  const forbidden = [200, 'only for: platform or super admin', 'FORBIDDEN'];
  const round = [forbidden, forbidden, [200, 'a token is needed: platform or user', 'UNAUTHENTICATED']];
  expect(answers).toEqual(Array(6).fill(round).flat());
});

test('who asks too often is told when to come back, in a 200', async () => {
  const ask = (more = '') =>
    fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform },
      body: JSON.stringify({ query: `{ emailLookup(email: "nobody@example.com") { isValid } ${more} }` }),
    });
  for (let times = 0; times < 60; times++) await ask();
  const told = async (response: Response) => {
    const { data, errors } = await response.json();
    return [response.status, data, errors[0].extensions.code, Number(response.headers.get('retry-after')) > 0];
  };
  expect([await told(await ask()), await told(await ask('tournaments { totalCount }'))]).toEqual([
    [200, { emailLookup: null }, 'RATE_LIMITED', true],
    [200, { emailLookup: null, tournaments: { totalCount: expect.any(Number) } }, 'RATE_LIMITED', true],
  ]);
});

test.each([
  [
    'a mutation that was done',
    'mutation { a: upsertTournament(input: { id: "done" }) { id } b: deleteTeam(id: "nobody") { id } }',
    { a: { id: 'done' }, b: null },
    'NOT_FOUND',
    ['b'],
  ],
  [
    'a record, when one of its lists is for others',
    '{ tournament(id: "done") { id discountCodes { totalCount } } }',
    { tournament: { id: 'done', discountCodes: null } },
    'FORBIDDEN',
    ['tournament', 'discountCodes'],
  ],
  [
    'what was done, when the size of a list in it is wrong',
    'mutation { updateTournament(id: "done", input: {}) { id teams(first: 101) { totalCount } } }',
    { updateTournament: { id: 'done', teams: null } },
    'BAD_INPUT',
    ['updateTournament', 'teams'],
  ],
  [
    'a list beside one that is for others',
    '{ tournaments { totalCount } discountCodes { totalCount } }',
    { tournaments: { totalCount: 1 }, discountCodes: null },
    'FORBIDDEN',
    ['discountCodes'],
  ],
])('a refusal spoils nothing beside it: %s', async (_, query, data, code, path) => {
  const { user } = await app.person({ isSuperAdmin: true });
  const tokens = query.includes('discountCodes') ? { 'pb-user-token': (await app.person()).user } : { 'pb-user-token': user };
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body: JSON.stringify({ query }),
  });
  const { errors, ...rest } = await response.json();
  expect([
    response.status,
    rest.data,
    errors.map(({ path: at, extensions }: { path: string[]; extensions: { code: string } }) => [extensions.code, at]),
  ]).toEqual([200, data, [[code, path]]]);
});

test.each([
  ['a latitude of 91', 200, { location: { latitude: 91 } }, /^input\.location\.latitude: expected a number from -90 to 90/],
  ['a NUL character', 200, { title: 'a\0b' }, /^input\.title: expected text without NUL characters/],
  ['a title of 200 kB', 200, { title: 'x'.repeat(200_000) }, /^input\.title: expected at most 10000 characters/],
  ['a text for a number', 400, { registrationCount: 'many' }, /^input\.registrationCount: expected an integer of 32 bits$/],
  ['a day that does not exist', 400, { startsAt: '2026-02-30T00:00:00Z' }, /^input\.startsAt: expected .*timestamp/],
  ['an unknown field', 400, { colour: 'red' }, /^input\.colour: expected a field of TournamentInput/],
])('%s is refused with the name of the field', async (_, status, input, message) => {
  expect(await save({ id: 'bad', ...input })).toEqual([status, expect.stringMatching(message), 'BAD_INPUT']);
});

test.each([
  ['a negative page size', 200, '{ teams(first: -1) { nodes { id } } }', /^first: expected an integer from 0 to 100/],
  ['a negative offset', 200, '{ teams(offset: -1) { nodes { id } } }', /^offset: expected an integer of 0 or more/],
  ['a cursor that is none', 200, '{ teams(after: "nonsense") { nodes { id } } }', /after: expected a cursor/],
  [
    'an unknown enumeration value',
    400,
    '{ teams(orderBy: [{ field: COLOUR }]) { nodes { id } } }',
    /^orderBy\[0\]\.field: expected one of .*SEED/,
  ],
  [
    'a filter of 201 conditions',
    200,
    `{ teams(filter: { or: [${'{ seed: { eq: 1 } } '.repeat(101)}{ not: { and: [${'{ id: { eq: "x" } } '.repeat(99)}] } }] }) { totalCount } }`,
    /^filter: expected at most 200 conditions/,
  ],
  [
    'a search for 1,001 characters',
    200,
    `{ leagues(filter: { title: { contains: "${'x'.repeat(1001)}" } }) { totalCount } }`,
    /^filter\.title\.contains: expected at most 1000 characters/,
  ],
  [
    'a search of a novel',
    200,
    `{ tournaments(filter: { search: "${'x'.repeat(201)}" }) { totalCount } }`,
    /^filter\.search: expected at most 200 characters/,
  ],
  [
    'an order by 11 fields',
    200,
    `{ teams(orderBy: [${'{ field: SEED } '.repeat(11)}]) { totalCount } }`,
    /^orderBy: expected at most 10 fields/,
  ],
  [
    'a text for a value of an enumeration',
    400,
    '{ reactions(filter: { kind: { eq: "SAD" } }) { totalCount } }',
    /^filter\.kind\.eq: expected one of .*SAD/,
  ],
  ['a part of a value of an enumeration', 400, '{ reactions(filter: { kind: { contains: "SA" } }) { totalCount } }', /contains/],
  [
    'an answer of a million rows',
    400,
    '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { registrations(first: 100) { nodes { id } } } } } } }',
    /at most 200000/,
  ],
  ['a depth of 40', 400, `{ ${'team(id: "1") { tournament { teams { nodes { '.repeat(10)} id ${'} } } }'.repeat(10)} }`, /./],
])('%s is refused', async (_, status, query, message) => {
  expect(await run(query)).toEqual([status, expect.stringMatching(message), expect.any(String)]);
});

test.each(['{', '[]', '"x"', `${'['.repeat(200)}${']'.repeat(200)}`])(
  'an address whose variables or extensions are %s is refused',
  async (text) => {
    for (const name of ['variables', 'extensions']) {
      const response = await fetch(`${app.origin}/graphql?${new URLSearchParams({ query: '{ __typename }', [name]: text })}`);
      const { errors } = await response.json();
      expect([response.status, errors]).toEqual([
        400,
        [{ message: `${name}: expected a JSON object of at most 100 levels`, extensions: { code: 'BAD_INPUT' } }],
      ]);
    }
  },
);

test('a cursor of another list is refused', async () => {
  await save({ id: 'a', title: 'A' });
  const { tournaments } = await app.graphql('{ tournaments { pageInfo { endCursor } } }');
  const [status, message] = await run(`{ teams(after: "${tournaments.pageInfo.endCursor}") { nodes { id } } }`);
  expect([status, message]).toEqual([200, 'after: expected a cursor of this list in this order']);
});

test('bad input stores nothing', async () => {
  await save({ id: 'half', title: 'fine', location: { latitude: 91 } });
  expect(await app.graphql('{ tournament(id: "half") { id } }')).toEqual({ tournament: null });
});

test('no token is UNAUTHENTICATED, a garbage token too', async () => {
  const query = JSON.stringify({ query: '{ teams { nodes { id } } }' });
  expect([(await post(query, {}))[2], (await post(query, { 'pb-api-token': 'garbage' }))[2]]).toEqual(
    Array(2).fill('UNAUTHENTICATED'),
  );
});

test('a user may not do what is for platforms', async () => {
  const { user } = await app.person();
  const query = 'mutation { deleteTeam(id: "x") { id } }';
  expect((await post(JSON.stringify({ query }), { 'pb-user-token': user }))[2]).toBe('FORBIDDEN');
});
