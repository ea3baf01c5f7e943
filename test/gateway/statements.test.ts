import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../../src/demo/index.js';
import { demo } from '../../src/demo/tokens.js';
import { optionsOf } from '../../src/kernel/record.js';
import { buildGraph } from '../../src/kernel/schema.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from platform');
  await loadDemo(app.sql, () => undefined);
}, 60_000);
afterAll(() => app.close());

const tokens = { platform: demo.platformToken, user: demo.adminToken };
const schema = buildGraph(modules);

/** A field with one level below it: every leaf of an object, the ids and the count of a connection. */
function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (field.args.some(isRequiredArgument)) return '';
  if (isLeafType(type)) return field.name;
  if (!isObjectType(type)) return '';
  if (type.name.endsWith('Connection')) return `${field.name}(first: 2) { totalCount nodes { ${leaves(itemOf(type))} } }`;
  return `${field.name} { ${leaves(type)} }`;
}

const itemOf = (connection: GraphQLObjectType) =>
  getNamedType(connection.getFields().nodes?.type ?? connection) as GraphQLObjectType;

const leaves = (type: GraphQLObjectType): string =>
  [
    '__typename',
    ...Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
      .map(({ name }) => name),
  ].join(' ');

/** Every field of a record, everything that it leads to, one level deep. */
const everything = (type: GraphQLObjectType) => Object.values(type.getFields()).map(selectionOf).join(' ');

const lists = modules.flatMap(({ records }) =>
  records.flatMap((cls) => {
    const field = schema.getQueryType()?.getFields()[optionsOf(cls).many];
    const type = schema.getType(cls.name);
    return field && isObjectType(type) ? [{ name: field.name, type }] : [];
  }),
);

async function statements(name: string, type: GraphQLObjectType, first: number): Promise<{ taken: number; rows: number }> {
  const before = app.statements();
  const answer = await app.graphql(`{ ${name}(first: ${first}) { totalCount nodes { ${everything(type)} } } }`, {}, tokens);
  expect(answer.errors ?? []).toEqual([]);
  return { taken: app.statements() - before, rows: answer[name].nodes.length };
}

test.for(lists)('$name: as many statements for twenty rows as for three, all relations included', async ({ name, type }) => {
  await statements(name, type, 1);
  const few = await statements(name, type, 3);
  const many = await statements(name, type, 20);
  expect(few.rows, 'the demo season has rows of it').toBeGreaterThan(0);
  expect(many.taken).toBeLessThanOrEqual(few.taken + 2);
});
