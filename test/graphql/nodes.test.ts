import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { castOf } from '../rights/callers.js';
import { freshRow } from '../rights/rows.js';
import { statementsOf } from '../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
let callers: readonly (readonly [string, Tokens])[];
beforeAll(async () => {
  app = await startApp();
  const cast = await castOf(app);
  ana = cast.owner;
  const names = ['nobody', 'platform', 'key', 'player', 'owner', 'super admin'];
  callers = cast.callers.filter(({ name }) => names.includes(name)).map(({ name, tokens }) => [name, tokens] as const);
  for (const id of ['t1', 't2', 't3'])
    await app.graphql(`mutation { upsertTournament(input: { id: "${id}", title: "Open ${id}" }) { id } }`);
  await app.graphql('mutation { upsertTeam(input: { id: "a:b" }) { id } }');
});
afterAll(() => app.close());

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const node = (nodeId: string, fields = '__typename', tokens?: Tokens) =>
  app.graphql(`query ($nodeId: ID!) { node(id: $nodeId) { ${fields} } }`, { nodeId }, tokens);

const roots = graphOfModules().getQueryType()?.getFields() ?? {};
const readable = modules
  .flatMap(({ records }) => records)
  .map((cls) => [cls.name, optionsOf(cls)] as const)
  .filter(([, { one }]) => roots[one]);

test('more than 40 records can be read by ID', () => expect(readable.length).toBeGreaterThan(40));

test.each(readable)('`node` returns %s as its own root field does, for every caller', async (type, { one, table }) => {
  const [row] = await app.sql.rows<{ id: string }>(`select id from ${table} limit 1`);
  const id = row?.id ?? (await freshRow(app.sql, type, ana.id));
  const nodeId = encoded(`${type}:${id}`);
  const fields = `nodeId ... on ${type} { id }`;
  for (const [caller, tokens] of callers) {
    const byId = await app.graphql(`query ($id: ID!) { ${one}(id: $id) { ${fields} } }`, { id }, tokens);
    const byNodeId = await node(nodeId, fields, tokens);
    expect({ caller, result: byNodeId.errors ?? byNodeId.node }).toEqual({ caller, result: byId.errors ?? byId[one] });
    if (caller === 'platform' && !byId.errors) expect(byId[one] ?? { nodeId, id }).toEqual({ nodeId, id });
  }
});

describe('a node ID', () => {
  test('may contain its own separator', async () => {
    expect(await node(encoded('Team:a:b'), '... on Team { id }')).toEqual({ node: { id: 'a:b' } });
  });

  test('of a missing record gives null', async () => {
    expect(await node(encoded('Team:gone'))).toEqual({ node: null });
  });

  test.each([
    ['an empty text', ''],
    ['a plain ID', 't1'],
    ['an ID without a type', encoded(':t1')],
    ['a type without an ID', encoded('Tournament:')],
    ['an unknown type', encoded('Toy:1')],
    ['a type that is not in the graph', encoded('OneTimeValue:1')],
    ['another encoding of the same bytes', `${encoded('Team:a:b')}=`],
    ['the name of an object property', encoded('constructor:1')],
  ])('is rejected when it is %s', async (_, nodeId) => {
    expect(await node(nodeId)).toEqual({ errors: ['BAD_INPUT: id: expected the `nodeId` of a record'] });
  });

  test('is reported with its index when others in the list are valid', async () => {
    const { body } = await app.rest('POST', '/graphql', app.platform, {
      query: `{ nodes(ids: ["x", "${encoded('Team:a:b')}", "y"]) { nodeId } }`,
    });
    const errors = body.errors.map(({ path, extensions }: { path: unknown[]; extensions: { field: string } }) => ({
      path,
      field: extensions.field,
    }));
    expect({ nodes: body.data.nodes, errors }).toEqual({
      nodes: [null, { nodeId: encoded('Team:a:b') }, null],
      errors: [
        { path: ['nodes', 0], field: 'ids[0]' },
        { path: ['nodes', 2], field: 'ids[2]' },
      ],
    });
  });
});

const nodes = (ids: readonly string[], fields: string, tokens?: Tokens) =>
  app.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } }`, { ids }, tokens);

test('`nodes` returns records in the requested order, with one statement for each type', async () => {
  const ids = ['Tournament:t2', 'Team:a:b', 'Tournament:gone', 'Tournament:t1', 'Format:1'].map(encoded);
  const fields = '... on Tournament { title } ... on Team { id }';
  expect(await nodes(ids, fields)).toEqual({ nodes: [{ title: 'Open t2' }, { id: 'a:b' }, null, { title: 'Open t1' }, {}] });
  expect(await statementsOf(app, () => nodes(ids, fields))).toBe(2);
});

test('`nodes` reports a forbidden record without affecting the others, in interpreted and compiled runs', async () => {
  const query = `{ nodes(ids: ["${encoded('PaymentSetup:x')}", "${encoded('Tournament:t1')}"]) { nodeId ... on Tournament { title } } }`;
  const runs = [];
  for (let run = 0; run < 3; run++) runs.push((await app.rest('POST', '/graphql', { user: ana.user }, { query })).body);
  const [first, ...others] = runs;
  expect(first).toEqual({
    data: { nodes: [null, { nodeId: encoded('Tournament:t1'), title: 'Open t1' }] },
    errors: [expect.objectContaining({ path: ['nodes', 0], extensions: { code: 'FORBIDDEN' } })],
    extensions: { cost: { cost: 5, limit: 200_000 } },
  });
  expect(others).toEqual([first, first]);
});

const tournamentIds = (count: number) => Array.from({ length: count }, (_, index) => encoded(`Tournament:${index}`));

test('`nodes` rejects more than a hundred IDs', async () => {
  expect(await nodes(tournamentIds(101), 'nodeId')).toEqual({ errors: ['BAD_INPUT: ids: expected at most 100 ids'] });
});

test('`nodes` multiplies the cost of its selection by the number of IDs', async () => {
  const deep = '... on Tournament { teams(first: 100) { nodes { playerOne { teams(first: 50) { nodes { id } } } } } }';
  const { errors } = await nodes(tournamentIds(100), deep);
  expect(errors?.[0]).toMatch(/^BAD_INPUT: the operation costs \d+:/);
});

test('an ID with NUL is an error of its item, and does not affect the other items of its batch', async () => {
  const ids = [encoded('Tournament:t1'), encoded('Tournament:a\0b')];
  expect(await app.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tournament { id } } }', { ids })).toEqual({
    data: { nodes: [{ id: 't1' }, null] },
    errors: [expect.stringMatching(/^BAD_INPUT: .*NUL/)],
  });
});

test('a slug with NUL does not affect the other fields of its batch', async () => {
  await app.sql.rows(`insert into news_item (id, title, slug) values ('n1', 'Known', 'known')`);
  const query = 'query ($slug: String!) { a: newsItemBySlug(slug: "known") { id } b: newsItemBySlug(slug: $slug) { id } }';
  expect(await app.graphql(query, { slug: 'x\0y' })).toEqual({
    data: { a: { id: 'n1' }, b: null },
    errors: [expect.stringMatching(/^BAD_INPUT: .*NUL/)],
  });
});
