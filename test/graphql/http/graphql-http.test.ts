import { auditServer } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'accounts' });
});
afterAll(() => app.close());

test('/graphql conforms to the GraphQL over HTTP specification', async () => {
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
    headers: { 'content-type': 'application/json', ...routerHeaders, ...tokens },
    body,
  });
  const { errors } = await response.json();
  return { status: response.status, message: errors?.[0]?.message, code: errors?.[0]?.extensions?.code };
};
const run = (query: string, variables?: object) => post(JSON.stringify({ query, variables }));
const upsert = (input: object) =>
  run('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input });

test.each([
  ['malformed JSON', '{"password": "hush"', 400, 'body: expected a JSON object', 'BAD_INPUT'],
  ['an empty object', '{}', 400, 'body: expected a JSON object with a query', 'BAD_INPUT'],
  ['a list', '[{ "query": "{ viewer { id } }" }]', 400, 'body: expected a JSON object with a query', 'BAD_INPUT'],
  ['null', 'null', 400, 'body: expected a JSON object', 'BAD_INPUT'],
  ['a syntax error', '{ "query": "{" }', 400, expect.stringMatching(/Syntax Error/), 'BAD_INPUT'],
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
])('both servers reject %s with a documented code', async (_, body, status, message, code) => {
  const rejected = { status, message, code };
  expect({
    graph: await post(body, undefined, '/graphql'),
    subgraph: await post(body, undefined, '/subgraphs/accounts'),
  }).toEqual({ graph: rejected, subgraph: rejected });
});

describe.each(['/graphql', '/subgraphs/accounts'])('%s responds with 200 to an executed operation with errors', (path) => {
  test.each(['application/json', 'application/graphql-response+json', '*/*'])('for Accept: %s', async (accept) => {
    const { user } = await app.person();
    const postQuery = (query: string, headers: Record<string, string>) => post(JSON.stringify({ query }), headers, path);
    expect({
      oneFieldForbidden: await postQuery('{ viewer { firstName } userByEmail(email: "x") { id } }', {
        'pb-user-token': user,
        accept,
      }),
      allForbidden: await postQuery('{ userByEmail(email: "x") { id } }', { 'pb-user-token': user, accept }),
      withoutToken: await postQuery('{ emailLookup(email: "x") { isValid } }', { accept }),
    }).toEqual({
      oneFieldForbidden: {
        status: 200,
        message: 'Not allowed: requires a platform token, or a user token of a super admin',
        code: 'FORBIDDEN',
      },
      allForbidden: {
        status: 200,
        message: 'Not allowed: requires a platform token, or a user token of a super admin',
        code: 'FORBIDDEN',
      },
      withoutToken: {
        status: 200,
        message: 'Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
        code: 'UNAUTHENTICATED',
      },
    });
  });
});

test('a rate limit error has the status 200 and Retry-After, and leaves other fields intact', async () => {
  const { user } = await app.person();
  const lookUp = (more = '') =>
    fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'pb-user-token': user },
      body: JSON.stringify({ query: `{ emailLookup(email: "nobody@example.com") { isValid } ${more} }` }),
    });
  for (let times = 0; times < 60; times++) await lookUp();
  const summaryOf = async (response: Response) => {
    const { data, errors } = await response.json();
    const retryAfter = Number(response.headers.get('retry-after'));
    return { status: response.status, data, code: errors[0].extensions.code, hasRetryAfter: retryAfter > 0 };
  };
  const limited = { status: 200, code: 'RATE_LIMITED', hasRetryAfter: true };
  expect(await summaryOf(await lookUp())).toEqual({ ...limited, data: { emailLookup: null } });
  expect(await summaryOf(await lookUp('tournaments { totalCount }'))).toEqual({
    ...limited,
    data: { emailLookup: null, tournaments: { totalCount: expect.any(Number) } },
  });
});

test.each([
  [
    'a mutation that succeeded',
    'mutation { a: upsertTournament(input: { id: "done" }) { id } b: deleteTeam(id: "nobody") { id } }',
    { a: { id: 'done' }, b: null },
    'NOT_FOUND',
    ['b'],
  ],
  [
    'a record with a forbidden list',
    '{ tournament(id: "done") { id discountCodes { totalCount } } }',
    { tournament: { id: 'done', discountCodes: null } },
    'FORBIDDEN',
    ['tournament', 'discountCodes'],
  ],
  [
    'a mutation with an invalid page size in its selection',
    'mutation { updateTournament(id: "done", input: {}) { id teams(first: 101) { totalCount } } }',
    { updateTournament: { id: 'done', teams: null } },
    'BAD_INPUT',
    ['updateTournament', 'teams'],
  ],
  [
    'a list next to a forbidden list',
    '{ tournaments { totalCount } discountCodes { totalCount } }',
    { tournaments: { totalCount: 1 }, discountCodes: null },
    'FORBIDDEN',
    ['discountCodes'],
  ],
])('an error of one field leaves the rest of the response intact: %s', async (_, query, data, code, path) => {
  const { user } = await app.person({ isSuperAdmin: true });
  const tokens = query.includes('discountCodes') ? { 'pb-user-token': (await app.person()).user } : { 'pb-user-token': user };
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body: JSON.stringify({ query }),
  });
  const body = await response.json();
  const errors = body.errors.map((error: { path: string[]; extensions: { code: string } }) => ({
    code: error.extensions.code,
    path: error.path,
  }));
  expect({ status: response.status, data: body.data, errors }).toEqual({ status: 200, data, errors: [{ code, path }] });
});

test.each([
  ['a latitude of 91', 200, { location: { latitude: 91 } }, /^input\.location\.latitude: expected a number from -90 to 90/],
  ['a NUL character', 200, { title: 'a\0b' }, /^input\.title: expected text without NUL characters/],
  ['a title of 200 kB', 200, { title: 'x'.repeat(200_000) }, /^input\.title: expected at most 10000 characters/],
  ['a string for a number', 400, { registrationCount: 'many' }, /^input\.registrationCount: expected a 32-bit integer$/],
  ['a day that does not exist', 400, { startsAt: '2026-02-30T00:00:00Z' }, /^input\.startsAt: expected .*timestamp/],
  ['an unknown field', 400, { colour: 'red' }, /^input\.colour: expected a field of TournamentInput/],
])('rejects %s with the path of the field', async (_, status, input, message) => {
  expect(await upsert({ id: 'bad', ...input })).toEqual({
    status,
    message: expect.stringMatching(message),
    code: 'BAD_INPUT',
  });
});

test.each([
  ['a negative page size', 200, '{ teams(first: -1) { nodes { id } } }', /^first: expected an integer from 0 to 100/],
  ['a negative offset', 200, '{ teams(offset: -1) { nodes { id } } }', /^offset: expected an integer of 0 or more/],
  ['an invalid cursor', 200, '{ teams(after: "nonsense") { nodes { id } } }', /after: expected a cursor/],
  [
    'an unknown enum value',
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
    'a full-text search for 201 characters',
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
    'a string for an enum value',
    400,
    '{ reactions(filter: { kind: { eq: "SAD" } }) { totalCount } }',
    /^filter\.kind\.eq: expected one of .*SAD/,
  ],
  ['a substring of an enum value', 400, '{ reactions(filter: { kind: { contains: "SA" } }) { totalCount } }', /contains/],
  [
    'a page of a million rows',
    400,
    '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { registrations(first: 100) { nodes { id } } } } } } }',
    /at most 200000/,
  ],
  ['a depth of 40', 400, `{ ${'team(id: "1") { tournament { teams { nodes { '.repeat(10)} id ${'} } } }'.repeat(10)} }`, /./],
])('rejects %s', async (_, status, query, message) => {
  expect(await run(query)).toEqual({ status, message: expect.stringMatching(message), code: expect.any(String) });
});

test.each(['{', '[]', '"x"', `${'['.repeat(200)}${']'.repeat(200)}`])(
  'rejects %s for variables or extensions in the URL',
  async (text) => {
    for (const name of ['variables', 'extensions']) {
      const response = await fetch(`${app.origin}/graphql?${new URLSearchParams({ query: '{ __typename }', [name]: text })}`);
      const { errors } = await response.json();
      const error = { message: `${name}: expected a JSON object of at most 100 levels`, extensions: { code: 'BAD_INPUT' } };
      expect({ status: response.status, errors }).toEqual({ status: 400, errors: [error] });
    }
  },
);

test('rejects a cursor of another list', async () => {
  await upsert({ id: 'a', title: 'A' });
  const { tournaments } = await app.graphql('{ tournaments { pageInfo { endCursor } } }');
  const { status, message } = await run(`{ teams(after: "${tournaments.pageInfo.endCursor}") { nodes { id } } }`);
  expect({ status, message }).toEqual({ status: 200, message: 'after: expected a cursor of this list in this order' });
});

test('stores nothing of an invalid input', async () => {
  await upsert({ id: 'half', title: 'fine', location: { latitude: 91 } });
  expect(await app.graphql('{ tournament(id: "half") { id } }')).toEqual({ tournament: null });
});

test.each<[string, Record<string, string>]>([
  ['no token', {}],
  ['an unknown token', { 'pb-api-token': 'garbage' }],
])('%s is UNAUTHENTICATED', async (_, tokens) => {
  const { code } = await post(JSON.stringify({ query: '{ teams { nodes { id } } }' }), tokens);
  expect(code).toBe('UNAUTHENTICATED');
});

test('a mutation for platforms is FORBIDDEN to users', async () => {
  const { user } = await app.person();
  const query = 'mutation { deleteTeam(id: "x") { id } }';
  const { code } = await post(JSON.stringify({ query }), { 'pb-user-token': user });
  expect(code).toBe('FORBIDDEN');
});
