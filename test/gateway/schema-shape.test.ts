import { type GraphQLField, getNamedType, getNullableType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { ownershipOf } from '../../src/gateway/ownership.js';
import { policiesOf } from '../../src/kernel/declare/policy.js';
import { modules } from '../../src/modules/index.js';

const schema = graphOfModules();
type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (type: unknown): Field[] => (isObjectType(type) ? Object.values(type.getFields()) : []);
const mutations = fieldsOf(schema.getMutationType());
const everywhere = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) => fieldsOf(type).map((field) => ({ path: `${type.name}.${field.name}`, field })));
const named = (fields: readonly Field[]) => fields.map((field) => [field.name, field] as const);
const argumentsOf = ({ args }: Field) => args.map(({ name }) => name);
const isConnection = ({ type }: Field) => getNamedType(type).extensions.connection === true;

test('what may be refused is nullable: root fields, guarded fields and lists', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.name);
  const refusable = everywhere.filter(
    ({ path, field }) => roots.includes(path.split('.')[0]) || policiesOf(field.extensions) || isConnection(field),
  );
  expect(refusable.length).toBeGreaterThan(350);
  expect(refusable.flatMap(({ path, field }) => (isNonNullType(field.type) ? [path] : []))).toEqual([]);
});

test('what a module contributes to the records of others is nullable: through a router it is asked of a record that may have gone', () => {
  const ownership = ownershipOf(modules);
  const contributed = everywhere.filter(({ path, field }) => {
    const [type = ''] = path.split('.');
    return ownership.records.has(type) && ownership.ownerOf(type, field.name) !== ownership.home.get(type);
  });
  expect(contributed.length).toBeGreaterThan(50);
  expect(contributed.flatMap(({ path, field }) => (isNonNullType(field.type) ? [path] : []))).toEqual([]);
});

test('every list takes the same arguments in the same order, behind its own', () => {
  const paging = ['first', 'after', 'last', 'before', 'offset'];
  const lists = everywhere.filter(({ field }) => isConnection(field));
  expect(lists.length).toBeGreaterThan(140);
  const others = lists.filter(({ field }) => {
    const names = argumentsOf(field).join();
    return !names.endsWith(paging.join()) && !names.endsWith([...paging, 'filter', 'orderBy'].join());
  });
  expect(others.map(({ path }) => path)).toEqual([]);
  expect(
    lists.flatMap(({ path, field }) => (field.args.some(({ defaultValue }) => defaultValue !== undefined) ? [path] : [])),
  ).toEqual([]);
});

describe('arguments of mutations', () => {
  test.each(named(mutations.filter(({ args }) => args.some(({ name }) => name === 'id'))))(
    '%s: the id comes first',
    (_, field) => {
      expect(argumentsOf(field)[0]).toBe('id');
    },
  );

  test.each(named(mutations.filter(({ args }) => args.some(({ name }) => name === 'input'))))(
    '%s: the input comes last, but for the version that it expects',
    (_, field) => {
      expect(
        argumentsOf(field)
          .filter((name) => name !== 'ifVersion')
          .at(-1),
      ).toBe('input');
      expect(argumentsOf(field).slice(0, -1)).not.toContain('ifVersion');
    },
  );
});

/** The record that a mutation is called after: `TournamentEvent` for `updateEvent`. */
const recordOf = (name: string) => {
  const word = name.replace(/^(create|update|upsert|delete)/, '');
  return word === 'Event' ? 'TournamentEvent' : word;
};

test.each(named(mutations.filter(({ name }) => /^update(?!Profile)/.test(name))))(
  '%s takes an id and gives what it changed',
  (name, field) => {
    expect(argumentsOf(field)[0]).toBe('id');
    expect([recordOf(name), `${recordOf(name)}Update`]).toContain(`${field.type}`);
  },
);

test.each(named(mutations.filter(({ name }) => /^delete/.test(name))))('%s gives what it deleted', (name, field) => {
  const [, many] = /^delete(\w+?)sOf/.exec(name) ?? [];
  const bare = getNullableType(field.type);
  if (many) expect([isListType(bare), getNamedType(bare).name.endsWith(many)]).toEqual([true, true]);
  else expect(bare).toBe(schema.getType(recordOf(name)));
});

test('no mutation gives a mere Boolean or a number', () => {
  expect(mutations.flatMap(({ name, type }) => (isLeafType(getNamedType(type)) ? [name] : []))).toEqual([]);
});
