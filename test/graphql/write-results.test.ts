import { type GraphQLObjectType, getNamedType, isInputObjectType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demo } from '../../src/demo/tokens.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { columnsOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import type { TestApp } from '../support/servers/app.js';
import { startDemo } from '../support/servers/season.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDemo();
}, 60_000);
afterAll(() => app.close());

const platform = { platform: demo.platformToken };
/** Returns the tokens that may write a record. Platforms may not write categories. */
const tokensFor = (name: string) => (name === 'Category' ? { ...platform, user: demo.adminToken } : platform);
const schema = graphOfModules();
const fieldsOf = (name: string) => {
  const type = schema.getType(name);
  return isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
};

/** Returns a selection of every leaf field of a record and of its nested value objects. */
const leaves = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .flatMap(({ name, type: fieldType, args }) => {
      const named = getNamedType(fieldType);
      if (args.some(isRequiredArgument)) return [];
      if (isLeafType(named)) return [name];
      return isObjectType(named) && schema.getType(`${named.name}Input`) && !named.getInterfaces().length
        ? [`${name} { ${leaves(named)} }`]
        : [];
    })
    .join(' ');

const records = modules
  .flatMap((module) => module.records)
  .filter(
    (cls) => schema.getMutationType()?.getFields()[`upsert${cls.name}`] && schema.getQueryType()?.getFields()[optionsOf(cls).one],
  )
  .map((cls) => cls.name);

test('more than 15 records have both an upsert and a query', () => expect(records.length).toBeGreaterThan(15));

type Node = Record<string, unknown>;

/** Returns the fields of a row that an input type accepts. */
const inputFrom = (row: Node, input: string): Node =>
  Object.fromEntries(
    fieldsOf(input).flatMap(({ name, type }) => {
      const named = getNamedType(type);
      const value = row[name];
      if (value === undefined) return [];
      const isGroup = isInputObjectType(named) && typeof value === 'object' && value !== null && !Array.isArray(value);
      return [[name, isGroup ? inputFrom(value as Node, named.name) : value]];
    }),
  );

test.each(records)('writes of %s respond with the values that are read afterwards', async (name) => {
  const cls = modules.flatMap((module) => module.records).find((each) => each.name === name);
  const type = schema.getType(name);
  if (!cls || !isObjectType(type)) throw new Error(`${name} is no record`);
  const { one, many } = optionsOf(cls);
  const tokens = tokensFor(name);
  const ids = await app.sql.rows<{ id: string }>(`select id from ${optionsOf(cls).table} order by id limit 3`);
  expect(ids.length, `the demo season has some ${many}`).toBeGreaterThan(0);
  const read = async (id: unknown) =>
    (await app.graphql(`query ($id: ID!) { ${one}(id: $id) { ${leaves(type)} } }`, { id }, tokens))[one];
  const write = async (verb: string, variables: Node) => {
    const idVariable = verb === 'update' ? '$id: ID!, ' : '';
    const idArgument = verb === 'update' ? 'id: $id, ' : '';
    const field = `${verb}${name}(${idArgument}input: $input) { ${leaves(type)} }`;
    const text = `mutation (${idVariable}$input: ${name}Input!) { ${field} }`;
    const data = await app.graphql(text, variables, tokens);
    return data[`${verb}${name}`];
  };
  let writes = 0;
  for (const { id } of ids) {
    const row = await read(id);
    const { id: _, ...input } = inputFrom(row ?? {}, `${name}Input`);
    const verbs: [string, Node][] = [
      ['upsert', { input: { ...input, id } }],
      // A repeated write, which updates fewer columns.
      ['upsert', { input: { ...input, id } }],
      ['update', { id, input }],
      ['upsert', { input: { ...input, id: `new ${id}` } }],
      ['upsert', { input: { id: `new ${id}` } }],
    ];
    for (const [verb, variables] of verbs) {
      const answer = await write(verb, variables);
      // Some rows can be written only by other callers, or violate rules that are newer than the rows.
      if (!answer) continue;
      writes += 1;
      expect(answer).toEqual(await read(answer.id));
    }
  }
  expect(writes).toBeGreaterThan(0);
});

test('writes of unusual instants, numbers and texts respond with the values that are read afterwards', async () => {
  const inputs = [
    {
      id: 'odd',
      title: '  e\u0301 \u{1F3BE}  ',
      startsAt: '2026-03-04T05:06:07.1234567+05:30',
      location: { latitude: -0, longitude: 1e-7 },
    },
    { id: 'odd', title: '', startsAt: '0001-01-01T00:00:00Z', location: { latitude: 12.100000000000001, longitude: null } },
    { id: 'odd', title: null, startsAt: '9999-12-31T23:59:59.100Z', location: { latitude: 5e-324 } },
  ];
  const fields = 'title startsAt location { latitude longitude }';
  for (const input of inputs) {
    const text = `mutation ($input: TournamentInput!) { upsertTournament(input: $input) { ${fields} } }`;
    const { upsertTournament, errors } = await app.graphql(text, { input }, platform);
    const { tournament } = await app.graphql(`{ tournament(id: "odd") { ${fields} } }`, {}, platform);
    expect({ errors, upsertTournament }).toEqual({ errors: undefined, upsertTournament: tournament });
  }
});

test('no column type and no trigger changes a written value, except in adjusted fields', async () => {
  const kinds = new Set(['id', 'text', 'ref', 'values', 'flag', 'int', 'num', 'instant']);
  const types = new Set(['text', 'boolean', 'integer', 'double precision', 'timestamp with time zone']);
  let columns = 0;
  for (const cls of modules.flatMap((module) => module.records)) {
    const { table } = optionsOf(cls);
    const beforeTriggers = await app.sql.rows<{ source: string }>(
      `select p.prosrc as source from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where not tgisinternal and tgtype & 2 = 2 and tgrelid = $1::regclass`,
      [table],
    );
    const setByTrigger = new Set(
      beforeTriggers.flatMap(({ source }) => [...source.matchAll(/new\.(\w+) :=/g)].map(([, column]) => column)),
    );
    const rows = await app.sql.rows<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) || attgenerated::text as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    );
    const typeOf = new Map(rows.map(({ name, type }) => [name, type]));
    for (const { column, field, key } of columnsOf(metaOf(cls)).values()) {
      if (!kinds.has(field.kind)) continue;
      columns += 1;
      const path = `${cls.name}.${key}`;
      const isStoredExactly = types.has(typeOf.get(column) ?? '');
      const isChangedByTrigger = setByTrigger.has(column) && !field.readOnly && !field.isChangedByTrigger;
      expect({ path, isStoredExactly, isChangedByTrigger }).toEqual({ path, isStoredExactly: true, isChangedByTrigger: false });
    }
  }
  expect(columns).toBeGreaterThan(500);
});
