import { buildSchema, type GraphQLFieldResolver, GraphQLObjectType, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unknownClient } from '../../src/graphql/context.js';
import { execute } from '../../src/graphql/execute.js';
import type { Context } from '../../src/kernel/declare/context.js';
import { reject } from '../../src/kernel/declare/errors.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  for (const id of ['austin', 'dallas']) await app.graphql(`mutation { upsertTournament(input: { id: "${id}" }) { id } }`);
});
afterAll(() => app.close());

async function post(query: string, variables: object) {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': app.platform.platform },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...(await response.json()) };
}

/** Returns the responses of three runs: the first run of a document is interpreted, the other runs are compiled. */
async function runThreeTimes(query: string, variables: object) {
  const answers = [];
  for (let run = 0; run < 3; run++) answers.push(await post(query, variables));
  return answers;
}

const listed = 'fragment Listed on Query { bad: teams(first: 101) { totalCount } teams { nodes { id } } }';

test.each<[string, string, object?]>([
  ['a resolver rejects', '{ teams(first: 101) { nodes { id } } }'],
  ['several resolvers reject', '{ a: rankings(year: 1) { totalCount } b: rankings(first: -1, year: 2) { totalCount } }'],
  ['a resolver below a list rejects', '{ tournaments { nodes { id\n late: teams(offset: -1) { totalCount } } } }'],
  ['resolvers in several items of a list reject', '{ tournaments { nodes { teams(after: "x") { nodes { id } } } totalCount } }'],
  ['the field is in a fragment', `query { ...Listed }\n${listed}`],
  ['the field is selected twice', '{ teams(first: 101) { totalCount } ... { teams(first: 101) { nodes { id } } } }'],
  [
    'a part of the selection is excluded',
    'query ($no: Boolean!) { teams(first: 101) { totalCount } teams(first: 101) @include(if: $no) { totalCount } }',
    { no: false },
  ],
  ['a mutation is rejected', 'mutation { upsertTeam(input: { id: "" }) { id } other: deleteTeam(id: "nobody") { id } }'],
  ['a variable has a wrong type', 'query ($first: Int) { teams(first: $first) { totalCount } }', { first: 'many' }],
  ['a variable is missing', 'query ($id: ID!) {\n team(id: $id) { id } }'],
  ['a nullable variable is null and its argument is required', 'query ($id: ID = "x") { team(id: $id) { id } }', { id: null }],
  [
    'several variables are wrong',
    'query ($a: [ID!], $b: Int!) { teams(first: $b, filter: { id: { in: $a } }) { totalCount } }',
    { a: ['x', null], b: 1.5 },
  ],
  ['a record does not exist', 'mutation { deleteTeam(id: "nobody") { id } }'],
])('interpreted and compiled runs give the same errors when %s', async (_, query, variables = {}) => {
  const [first, ...others] = await runThreeTimes(query, variables);
  expect(first.errors.map(({ locations }: { locations?: unknown[] }) => locations?.length)).not.toContain(undefined);
  expect(others).toEqual([first, first]);
});

const schema = buildSchema(`
  type Item { id: ID! name: String! size: Int items: [Item!]! maybe: [Item] late: Item lateStrict: Item! list: [Int!] }
  type Query { item: Item strict: Item! items: [Item!] loose: [Item]! }
  type Mutation { first: Item second: Item! }
`);

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const broken = { id: '1', name: null, size: 'large', list: [1, null, 'x'] };
const whole = { id: '2', name: 'two', size: 2, items: [], maybe: [] };
const resolvers: Record<string, GraphQLFieldResolver<unknown, unknown>> = {
  item: () => ({ ...whole, items: [whole, broken], maybe: [broken, null, whole] }),
  strict: async () => ({ ...broken, items: null }),
  items: () => [whole, Promise.resolve(broken), whole],
  loose: () => [broken, new Error('an item that is an error'), whole],
  late: async () => {
    await later(5);
    throw new Error('late');
  },
  lateStrict: async () => {
    await later(1);
    return reject('late', 'a value');
  },
  first: async () => reject('first', 'a value'),
  second: async () => broken,
};
for (const type of Object.values(schema.getTypeMap())) {
  if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
  for (const field of Object.values(type.getFields())) {
    const resolve = resolvers[field.name];
    if (resolve && (type.name !== 'Item' || field.name.startsWith('late'))) field.resolve = resolve;
  }
}

test.each([
  ['{ item { name items { name } } }'],
  ['{ item { maybe { name } } again: item { maybe { id size } } }'],
  ['{ strict { name } item { id } }'],
  ['{ items { id name } loose { id name size } }'],
  ['{ loose { size list } }'],
  ['{ item { late { id } lateStrict { id } } }'],
  ['{ item { items { late { id } lateStrict { id } } maybe { late { id } } } }'],
  ['{ b: item { late { id } } a: item { late { id } name } item { items { id name size } } }'],
  ['mutation { first { id } second { id name } }'],
  ['mutation { second { size } first { id } }'],
  [
    'query ($yes: Boolean = true) { item { ...Late ...Late @skip(if: $yes) ... on Item @include(if: $yes) { late { name } } } } fragment Late on Item { late { id } }',
  ],
])('interpreted and compiled runs of %s give the same errors', async (text) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const answers = [];
  for (let run = 0; run < 3; run++)
    answers.push(await execute(schema, document, undefined, {}, { client: unknownClient } as Context));
  const [first, ...others] = answers.map((answer) => JSON.parse(JSON.stringify(answer)));
  expect(first.errors).not.toEqual([]);
  expect(others).toEqual([first, first]);
});
