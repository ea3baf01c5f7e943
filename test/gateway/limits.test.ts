import { buildSchema, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beyondLimits, maxDepth } from '../../src/gateway/limits.js';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
});
afterAll(() => app.close());

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
