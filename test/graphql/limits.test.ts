import { buildSchema, getIntrospectionQuery, getLocation, parse, visit } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { limitErrors, maxDepth, parseWithLimits } from '../../src/graphql/limits/request-limits.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { routerHeaders, startApp, type TestApp } from '../support/servers/app.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';

let app: TestApp;
/** The service with NODE_ENV=production. */
let production: Process;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
  const environment = { NODE_ENV: 'production', DATABASE_URL: app.databaseUrl };
  production = await secondProcess(app, undefined, undefined, environment);
});
afterAll(async () => {
  await production.close();
  await app.close();
});

async function post(path: string, query: string, variables?: object) {
  const response = await fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...routerHeaders },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors, extensions } = await response.json();
  return { status: response.status, data, extensions, errors: errors?.map(messageAndExtensions) };
}
const messageAndExtensions = ({ message, extensions }: { message: string; extensions: object }) => ({ message, extensions });

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

test.each([
  [
    'depth',
    `{ ${'leagues { nodes { club { '.repeat(10)} id ${'} } } '.repeat(10)} }`,
    'the operation has a depth of 31: expected at most 15',
  ],
  ['aliases', `{ ${times(61, (n) => `a${n}: leagues { totalCount }`)} }`, 'the operation has 61 aliases: expected at most 60'],
  [
    'aliases of __typename',
    `{ ${times(1000, (n) => `a${n}: __typename`)} }`,
    'the operation has 1000 aliases: expected at most 60',
  ],
  ['operations', times(1000, (n) => `query Q${n} { __typename }`), 'the document has 1000 operations: expected at most 20'],
  [
    'characters, in a string',
    `{ league(id: """${'x\n'.repeat(100_000)}""") { id } }`,
    'the document has 200029 characters: expected at most 100000. Pass long texts as variables',
  ],
  [
    'characters, in comments',
    `{ __typename } ${'#\n'.repeat(50_000)}`,
    'the document has 100015 characters: expected at most 100000. Pass long texts as variables',
  ],
  [
    'introspection',
    `{ __schema { types { fields { type { ${'ofType { '.repeat(100)} name ${'} '.repeat(100)} } } } } }`,
    'introspection has a depth of 105: expected at most 20',
  ],
  [
    'schemas',
    `{ ${times(5, (n) => `a${n}: __schema { types { name } }`)} }`,
    'the document selects __schema 5 times: expected at most 4',
  ],
  [
    'introspection in fragments',
    `{ __schema { types { fields { type { ...A } } } } } fragment A on __Type { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} }`,
    'introspection has a depth of 25: expected at most 20',
  ],
  [
    'directives',
    `{ leagues { ${times(51, () => 'totalCount @include(if: true)')} } }`,
    'the operation has 51 directives: expected at most 50',
  ],
  ['tokens', `{ leagues { ${times(5_000, () => 'totalCount')} } }`, 'the document has too many tokens: expected at most 5000'],
])('both servers limit %s', async (_, query, message) => {
  const errors = [{ message, extensions: { code: 'BAD_INPUT' } }];
  const rejected = { status: 400, data: undefined, extensions: undefined, errors };
  expect({ graph: await post('/graphql', query), subgraph: await post('/subgraphs/leagues', query) }).toEqual({
    graph: rejected,
    subgraph: rejected,
  });
});

test('a document that has passed the checks is not checked again', async () => {
  const checks = vi.spyOn(graphOfModules(), 'getDirectives');
  const counts = [];
  for (let n = 0; n < 4; n++) {
    await post('/graphql', '{ leagues(first: 7) { totalCount } }');
    counts.push(checks.mock.calls.length);
  }
  checks.mockRestore();
  // The second request compiles the document, and the compilation also reads the directives.
  const [first, second, third, fourth] = counts;
  expect(first).toBeGreaterThan(0);
  expect({ third, fourth }).toEqual({ third: second, fourth: second });
});

/** Returns the introspection query with all of its options, as tools send it. */
const fullIntrospection = (typeDepth: number) =>
  getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
    typeDepth,
  });

describe.each(['/graphql', '/subgraphs/leagues'])('%s accepts the introspection query of tools', (path) => {
  test.each([
    ['7, without descriptions', getIntrospectionQuery({ descriptions: false, typeDepth: 7 })],
    ['9', fullIntrospection(9)],
    ['14', fullIntrospection(14)],
  ])('with the type depth %s', async (_, query) => {
    const { status, data, errors } = await post(path, query);
    expect({ status, queryType: data?.__schema.queryType.name, errors }).toEqual({
      status: 200,
      queryType: 'Query',
      errors: undefined,
    });
  });
});

describe('in production', () => {
  const introspection = {
    schema: '{ __schema { types { name } } }',
    type: '{ a: __type(name: "League") { ...A } } fragment A on __Type { name }',
  };
  const misspelledField = '{ leages { totalCount } }';
  const postTo = async (headers: Record<string, string>, query: string) => {
    const response = await fetch(`${production.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await response.json();
    return { status: response.status, result: data ? 'data' : `${errors[0].extensions.code}: ${errors[0].message}` };
  };
  const postAll = async (headers: Record<string, string>) => ({
    schema: await postTo(headers, introspection.schema),
    type: await postTo(headers, introspection.type),
    misspelledField: await postTo(headers, misspelledField),
  });

  const unauthenticated = {
    status: 401,
    result: 'UNAUTHENTICATED: introspection requires a token or a publishable key',
  };
  const refused = {
    schema: unauthenticated,
    type: unauthenticated,
    misspelledField: { status: 400, result: 'BAD_INPUT: Cannot query field "leages".' },
  };

  test.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['an unknown platform token', { 'PB-API-TOKEN': 'unknown' }],
    ['an unknown bearer token', { Authorization: 'Bearer unknown' }],
  ])('a caller with %s gets neither introspection nor suggestions', async (_, headers) => {
    expect(await postAll(headers)).toEqual(refused);
  });

  test('a caller without a token may query __typename', async () => {
    expect(await postTo({}, '{ __typename }')).toEqual({ status: 200, result: 'data' });
  });

  test('platforms, users and pages with a publishable key get introspection and suggestions', async () => {
    const { user } = await app.person();
    const { key } = await newKey(app);
    const permitted = {
      schema: { status: 200, result: 'data' },
      type: { status: 200, result: 'data' },
      misspelledField: {
        status: 400,
        result: expect.stringMatching(/^BAD_INPUT: Cannot query field "leages".* Did you mean "leagues"/),
      },
    };
    expect({
      platform: await postAll({ 'PB-API-TOKEN': app.platform.platform }),
      user: await postAll({ 'PB-USER-TOKEN': user }),
      page: await postAll({ Authorization: `Bearer ${key}` }),
    }).toEqual({ platform: permitted, user: permitted, page: permitted });
  });
});

const postForCost = async (query: string, variables?: object) => {
  const { status, data, extensions, errors } = await post('/graphql', query, variables);
  return { status, cost: extensions?.cost, hasData: Boolean(data), message: errors?.[0].message };
};
const limit = 200_000;
const sized = 'query ($first: Int) { leagues(first: $first) { nodes { id title } } }';

test.each<[string, string, object | undefined, number]>([
  ['a list', '{ leagues(first: 5) { nodes { id title } } }', undefined, 11],
  ['the same list again', '{ leagues(first: 5) { nodes { id title } } }', undefined, 11],
  ['a page size of 2 in a variable', sized, { first: 2 }, 5],
  ['a page size of 3 in a variable', sized, { first: 3 }, 7],
  ['two records', '{ a: discountCode(id: "none") { id } league(id: "none") { id } }', undefined, 4],
])('the response has the cost of %s and the limit', async (_, query, variables, cost) => {
  expect(await postForCost(query, variables)).toEqual({
    status: 200,
    cost: { cost, limit },
    hasData: true,
    message: undefined,
  });
});

test('an operation above the cost limit is rejected with its cost', async () => {
  const costly =
    '{ leagues(first: 100) { nodes { events: club { leagues(first: 100) { nodes { tournaments: club { leagues(first: 100) { nodes { id } } } } } } } } }';
  expect(await postForCost(costly)).toEqual({
    status: 400,
    cost: { cost: 1_020_201, limit },
    hasData: false,
    message: expect.stringMatching(/^the operation costs 1020201:/),
  });
});

test('an operation with an invalid variable is rejected without a cost', async () => {
  expect(await postForCost(sized, { first: 'many' })).toEqual({
    status: 400,
    cost: undefined,
    hasData: false,
    message: 'first: expected a 32-bit integer',
  });
});

test('the description of the schema covers headers, errors, inputs, limits, filters and paging', async () => {
  const { data } = await post('/graphql', '{ __schema { description } }');
  const headings = data.__schema.description.match(/^## .*/gm);
  expect(headings).toEqual([
    '## Headers',
    '## Responses and errors',
    '## Inputs',
    '## Limits',
    '## Filters and orders',
    '## Paging',
  ]);
});

test('`_entities` may be one level deeper than other fields, since it adds a level for routers', () => {
  const schema = buildSchema('type Query { _entities: [A] a: A } type A { a: A }');
  const messages = (text: string) => limitErrors(schema, parse(text)).map(({ message }) => message);
  const nest = (levels: number) => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`;
  const rootField = (levels: number) => `{ a ${nest(levels)} }`;
  const entities = (levels: number) => `{ _entities { ... on A ${nest(levels)} } }`;
  const firstRejected = (build: (levels: number) => string) =>
    Array.from({ length: 30 }, (_, index) => index + 1).find((levels) => messages(build(levels)).length);
  expect({ rootField: firstRejected(rootField), entities: firstRejected(entities) }).toEqual({
    rootField: maxDepth,
    entities: maxDepth,
  });
  expect(messages(entities(maxDepth))).toEqual([expect.stringContaining(`expected at most ${maxDepth + 1}`)]);
});

test('a parsed document has the locations of its nodes, without the linked list of tokens', () => {
  const text =
    'query Q($n: Int = 1) {\n  a: teams(first: $n) { nodes { id } }\n\n  ... on Query { b: teams { ...F } } }\nfragment F on TeamConnection { totalCount }';
  const locations: unknown[] = [];
  const expected: unknown[] = [];
  visit(parseWithLimits(text), {
    enter({ loc }) {
      if (!loc || loc.start === 0) return;
      const { line, column, prev, next } = loc.startToken;
      locations.push({ line, column, prev, next });
      expected.push({ ...getLocation(loc.source, loc.start), prev: null, next: null });
    },
  });
  expect(locations.length).toBeGreaterThan(20);
  expect(locations).toEqual(expected);
});
