import { buildSchema, getIntrospectionQuery, getLocation, parse, visit } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { beyondLimits, maxDepth, parseWithin } from '../../src/gateway/limits.js';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
/** As it is run for others: in production, without demo data. */
let production: Process;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
  production = await secondProcess(app, undefined, undefined, { NODE_ENV: 'production' });
});
afterAll(async () => {
  await production.close();
  await app.close();
});

async function ask(path: string, query: string, variables?: object) {
  const response = await fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform, ...asRouter },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors, extensions } = await response.json();
  return { status: response.status, data, extensions, refusals: errors?.map(refusalOf) };
}
const refusalOf = ({ message, extensions }: { message: string; extensions: object }) => [message, extensions];

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
    'characters, in a text',
    `{ league(id: """${'x\n'.repeat(100_000)}""") { id } }`,
    'the document has 200029 characters: expected at most 100000, long texts go into variables',
  ],
  [
    'characters, in comments',
    `{ __typename } ${'#\n'.repeat(50_000)}`,
    'the document has 100015 characters: expected at most 100000, long texts go into variables',
  ],
  [
    'introspection',
    `{ __schema { types { fields { type { ${'ofType { '.repeat(100)} name ${'} '.repeat(100)} } } } } }`,
    'introspection has a depth of 105: expected at most 20',
  ],
  [
    'schemas',
    `{ ${times(5, (n) => `a${n}: __schema { types { name } }`)} }`,
    'the document asks for __schema 5 times: expected at most 4',
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
  [
    'tokens',
    `{ leagues { ${times(5_000, () => 'totalCount')} } }`,
    'the document has more than 5000 tokens: expected at most 5000',
  ],
])('too much of one thing is refused in plain words by both servers: %s', async (_, query, message) => {
  const refused = { status: 400, data: undefined, extensions: undefined, refusals: [[message, { code: 'BAD_INPUT' }]] };
  expect([await ask('/graphql', query), await ask('/subgraphs/leagues', query)]).toEqual([refused, refused]);
});

test('a document that has passed is not checked again', async () => {
  const checks = vi.spyOn(graphOfModules(), 'getDirectives');
  const counts = [];
  for (let n = 0; n < 4; n++) {
    await ask('/graphql', '{ leagues(first: 7) { totalCount } }');
    counts.push(checks.mock.calls.length);
  }
  checks.mockRestore();
  // The second time it is compiled.
  const [first = 0, second, third, fourth] = counts;
  expect([first > 0, third, fourth]).toEqual([true, second, second]);
});

/** The query that tools ask for a schema, with all that it may be asked for. */
const standard = (typeDepth: number) =>
  getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
    typeDepth,
  });

test('the standard query of tools passes at both servers, as deep as they ask it', async () => {
  const [shallow, deep] = [getIntrospectionQuery({ descriptions: false, typeDepth: 7 }), standard(14)];
  const answers = [];
  for (const query of [shallow, standard(9), deep])
    answers.push(await ask('/graphql', query), await ask('/subgraphs/leagues', query));
  expect(answers.map(({ status, data, refusals }) => [status, data?.__schema.queryType.name, refusals])).toEqual(
    Array(6).fill([200, 'Query', undefined]),
  );
});

describe('in production, without demo data', () => {
  const introspection = [
    '{ __schema { types { name } } }',
    '{ a: __type(name: "League") { ...A } } fragment A on __Type { name }',
  ];
  const unknown = '{ leages { totalCount } }';
  const told = async (headers: Record<string, string>, query: string) => {
    const response = await fetch(`${production.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await response.json();
    return [response.status, data ? 'data' : `${errors[0].extensions.code}: ${errors[0].message}`];
  };
  const all = async (headers: Record<string, string>) =>
    Promise.all([...introspection, unknown].map((query) => told(headers, query)));

  test('nobody without a token or key that is known is told the schema', async () => {
    const refused = [401, 'UNAUTHENTICATED: introspection is for callers with a token or a publishable key'];
    const answers = [await all({}), await all({ 'PB-API-TOKEN': 'unknown' }), await all({ Authorization: 'Bearer unknown' })];
    expect(answers).toEqual(Array(3).fill([refused, refused, [400, 'BAD_INPUT: Cannot query field "leages" on type "Query".']]));
    expect(await told({}, '{ __typename }')).toEqual([200, 'data']);
  });

  test('platforms, users and pages with a key are', async () => {
    const { user } = await app.person();
    const { key } = await newKey(app);
    const answers = [
      await all({ 'PB-API-TOKEN': app.platform.platform }),
      await all({ 'PB-USER-TOKEN': user }),
      await all({ Authorization: `Bearer ${key}` }),
    ];
    const suggested = [400, expect.stringMatching(/^BAD_INPUT: Cannot query field "leages".* Did you mean "leagues"/)];
    expect(answers).toEqual(Array(3).fill([[200, 'data'], [200, 'data'], suggested]));
  });
});

const cost = async (query: string, variables?: object) => {
  const { status, data, extensions, refusals } = await ask('/graphql', query, variables);
  return [status, extensions?.cost, data ? 'data' : 'none', refusals?.[0][0]];
};

test('every answer tells what the operation costs, and what it may', async () => {
  const limit = 200_000;
  const sized = 'query ($first: Int) { leagues(first: $first) { nodes { id title } } }';
  const costly =
    '{ leagues(first: 100) { nodes { events: club { leagues(first: 100) { nodes { tournaments: club { leagues(first: 100) { nodes { id } } } } } } } } }';
  expect([
    await cost('{ leagues(first: 5) { nodes { id title } } }'),
    await cost('{ leagues(first: 5) { nodes { id title } } }'),
    await cost(sized, { first: 2 }),
    await cost(sized, { first: 3 }),
    await cost('{ a: discountCode(id: "none") { id } league(id: "none") { id } }'),
    await cost(costly),
    await cost(sized, { first: 'many' }),
  ]).toEqual([
    [200, { cost: 11, limit }, 'data', undefined],
    [200, { cost: 11, limit }, 'data', undefined],
    [200, { cost: 5, limit }, 'data', undefined],
    [200, { cost: 7, limit }, 'data', undefined],
    [200, { cost: 4, limit }, 'data', undefined],
    [400, { cost: 1_020_201, limit }, 'none', expect.stringMatching(/^the answer could have 1020201 fields/)],
    // What a variable of a wrong type would cost, nobody knows.
    [400, undefined, 'none', 'first: expected an integer of 32 bits'],
  ]);
});

test('introspection tells the headers, the limits, the errors and the rules of paging', async () => {
  const { data } = await ask('/graphql', '{ __schema { description } }');
  const headings = data.__schema.description.match(/^## .*/gm);
  expect(headings).toEqual(['## Headers', '## Answers and errors', '## Limits', '## Paging']);
});

test('what a router asks for by `_entities` may be one level deeper, because that stands for the root field and the type', () => {
  const schema = buildSchema('type Query { _entities: [A] a: A } type A { a: A }');
  const refusals = (text: string) => beyondLimits(schema, parse(text)).map(({ message }) => message);
  const below = (levels: number) => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`;
  const [root, entities] = [(n: number) => `{ a ${below(n)} }`, (n: number) => `{ _entities { ... on A ${below(n)} } }`];
  const first = (build: (n: number) => string) =>
    Array.from({ length: 30 }, (_, n) => n + 1).find((n) => refusals(build(n)).length);
  expect([first(root), first(entities)]).toEqual([maxDepth, maxDepth]);
  expect(refusals(entities(maxDepth))).toEqual([expect.stringContaining(`expected at most ${maxDepth + 1}`)]);
});

test('a document keeps the places of its nodes, and no chain of tokens', () => {
  const text =
    'query Q($n: Int = 1) {\n  a: teams(first: $n) { nodes { id } }\n\n  ... on Query { b: teams { ...F } } }\nfragment F on TeamConnection { totalCount }';
  const places: unknown[] = [];
  const expected: unknown[] = [];
  visit(parseWithin(text), {
    enter({ loc }) {
      if (!loc || loc.start === 0) return;
      const { line, column, prev, next } = loc.startToken;
      places.push({ line, column, prev, next });
      expected.push({ ...getLocation(loc.source, loc.start), prev: null, next: null });
    },
  });
  expect(places.length).toBeGreaterThan(20);
  expect(places).toEqual(expected);
});
