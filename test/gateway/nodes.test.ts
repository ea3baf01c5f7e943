import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { castOf } from '../rights/callers.js';
import { freshRow } from '../rights/rows.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let ana: Person;
let callers: readonly (readonly [string, Tokens])[];
beforeAll(async () => {
  app = await startApp();
  const cast = await castOf(app);
  ana = cast.owner;
  const some = ['nobody', 'platform', 'key', 'player', 'owner', 'super admin'];
  callers = cast.callers.filter(({ name }) => some.includes(name)).map(({ name, tokens }) => [name, tokens] as const);
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

test('there are records of most kinds to look at', () => expect(readable.length).toBeGreaterThan(40));

test.each(readable)(
  'a %s is read by its id among all kinds as it is by its plain one, whoever asks',
  async (type, { one, table }) => {
    const [row] = await app.sql.rows<{ id: string }>(`select id from ${table} limit 1`);
    const id = row?.id ?? (await freshRow(app.sql, type, ana.id));
    const nodeId = encoded(`${type}:${id}`);
    const fields = `nodeId ... on ${type} { id }`;
    for (const [name, tokens] of callers) {
      const plain = await app.graphql(`query ($id: ID!) { ${one}(id: $id) { ${fields} } }`, { id }, tokens);
      const found = await node(nodeId, fields, tokens);
      expect([name, found.errors ?? found.node]).toEqual([name, plain.errors ?? plain[one]]);
      if (name === 'platform' && !plain.errors) expect(plain[one] ?? { nodeId, id }).toEqual({ nodeId, id });
    }
  },
);

describe('an id among all kinds', () => {
  test('may hold what separates its parts', async () => {
    expect(await node(encoded('Team:a:b'), '... on Team { id }')).toEqual({ node: { id: 'a:b' } });
  });

  test('of a record that is not there gives null', async () => {
    expect(await node(encoded('Team:gone'))).toEqual({ node: null });
  });

  test.each([
    ['nothing', ''],
    ['a plain id', 't1'],
    ['no kind', encoded(':t1')],
    ['no id', encoded('Tournament:')],
    ['a kind that there is not', encoded('Toy:1')],
    ['a kind that the graph does not show', encoded('UserToken:1')],
    ['other letters for the same bytes', `${encoded('Team:a:b')}=`],
    ['a property of objects', encoded('constructor:1')],
  ])('that is %s is refused', async (_, nodeId) => {
    expect(await node(nodeId)).toEqual({ errors: ['BAD_INPUT: id: expected the `nodeId` of a record'] });
  });

  test('is told of each of several that are none', async () => {
    const { body } = await app.rest('POST', '/graphql', app.platform, {
      query: `{ nodes(ids: ["x", "${encoded('Team:a:b')}", "y"]) { nodeId } }`,
    });
    const refused = (index: number) => ({
      path: ['nodes', index],
      field: `ids[${index}]`,
    });
    expect([
      body.data.nodes,
      body.errors.map(({ path, extensions }: { path: unknown[]; extensions: { field: string } }) => ({
        path,
        field: extensions.field,
      })),
    ]).toEqual([
      [null, { nodeId: encoded('Team:a:b') }, null],
      [refused(0), refused(2)],
    ]);
  });
});

const nodes = (ids: readonly string[], fields: string, tokens?: Tokens) =>
  app.graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } }`, { ids }, tokens);

test('several are given in the order asked for, one statement a kind', async () => {
  const ids = ['Tournament:t2', 'Team:a:b', 'Tournament:gone', 'Tournament:t1', 'Format:1'].map(encoded);
  const fields = '... on Tournament { title } ... on Team { id }';
  expect(await nodes(ids, fields)).toEqual({ nodes: [{ title: 'Open t2' }, { id: 'a:b' }, null, { title: 'Open t1' }, {}] });
  expect(await statementsOf(app, () => nodes(ids, fields))).toBe(2);
});

test('a refusal is the answer of one alone, in each run', async () => {
  const query = `{ nodes(ids: ["${encoded('DiscountCode:x')}", "${encoded('Tournament:t1')}"]) { nodeId ... on Tournament { title } } }`;
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

test('more than a hundred at once are refused, and what they would cost counts', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => encoded(`Tournament:${index}`));
  const deep = '... on Tournament { teams(first: 100) { nodes { playerOne { teams(first: 50) { nodes { id } } } } } }';
  expect([await nodes(ids, 'nodeId'), (await nodes(ids.slice(1), deep)).errors?.[0]]).toEqual([
    { errors: ['BAD_INPUT: ids: expected at most 100 ids'] },
    expect.stringMatching(/^BAD_INPUT: the answer could have \d+ fields/),
  ]);
});
