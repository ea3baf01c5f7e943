import { type GraphQLField, getNamedType, getNullableType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ownershipOf } from '../../src/graphql/federation/ownership.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { policiesOf } from '../../src/kernel/declare/policy/policy.js';
import { modules } from '../../src/modules/index.js';

const schema = graphOfModules();
type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (type: unknown): Field[] => (isObjectType(type) ? Object.values(type.getFields()) : []);
const mutations = fieldsOf(schema.getMutationType());
const allFields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) => fieldsOf(type).map((field) => ({ path: `${type.name}.${field.name}`, field })));
const casesOf = (fields: readonly Field[]) => fields.map((field) => [field.name, field] as const);
const argumentsOf = ({ args }: Field) => args.map(({ name }) => name);
const isConnection = ({ type }: Field) => getNamedType(type).extensions.connection === true;

test('fields that may be rejected are nullable: root fields, guarded fields and lists', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.name);
  const rejectable = allFields.filter(
    ({ path, field }) => roots.includes(path.split('.')[0]) || policiesOf(field.extensions) || isConnection(field),
  );
  expect(rejectable.length).toBeGreaterThan(350);
  expect(rejectable.flatMap(({ path, field }) => (isNonNullType(field.type) ? [path] : []))).toEqual([]);
});

// A router may request such a field for a record that has been deleted in the meantime.
test('fields that a module adds to records of other modules are nullable', () => {
  const ownership = ownershipOf(modules);
  const contributed = allFields.filter(({ path, field }) => {
    const [type = ''] = path.split('.');
    return ownership.records.has(type) && ownership.ownerOf(type, field.name) !== ownership.moduleByRecord.get(type);
  });
  expect(contributed.length).toBeGreaterThan(50);
  expect(contributed.flatMap(({ path, field }) => (isNonNullType(field.type) ? [path] : []))).toEqual([]);
});

test('every list has the same paging arguments in the same order after its own, without defaults', () => {
  const paging = ['first', 'after', 'last', 'before', 'offset'];
  const lists = allFields.filter(({ field }) => isConnection(field));
  expect(lists.length).toBeGreaterThan(140);
  const nonconforming = lists.filter(({ field }) => {
    const names = argumentsOf(field).join();
    return !names.endsWith(paging.join()) && !names.endsWith([...paging, 'filter', 'orderBy'].join());
  });
  expect(nonconforming.map(({ path }) => path)).toEqual([]);
  expect(
    lists.flatMap(({ path, field }) => (field.args.some(({ defaultValue }) => defaultValue !== undefined) ? [path] : [])),
  ).toEqual([]);
});

describe('arguments of mutations', () => {
  test.each(casesOf(mutations.filter(({ args }) => args.some(({ name }) => name === 'id'))))(
    '%s: `id` is the first',
    (_, field) => {
      expect(argumentsOf(field)[0]).toBe('id');
    },
  );

  test.each(casesOf(mutations.filter(({ args }) => args.some(({ name }) => name === 'input'))))(
    '%s: `input` is the last, except for `ifVersion`',
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

/** Returns the name of the record that a mutation writes: `TournamentEvent` for `updateEvent`. */
const recordOf = (name: string) => {
  const word = name.replace(/^(create|update|upsert|delete)/, '');
  return word === 'Event' ? 'TournamentEvent' : word;
};

test.each(casesOf(mutations.filter(({ name }) => /^update(?!Profile)/.test(name))))(
  '%s has an ID argument and returns the changed record',
  (name, field) => {
    const allowedTypes = [recordOf(name), `${recordOf(name)}Update`];
    expect(argumentsOf(field)[0]).toBe('id');
    expect(allowedTypes).toContain(`${field.type}`);
  },
);

test.each(casesOf(mutations.filter(({ name }) => /^delete/.test(name))))('%s returns the deleted records', (name, field) => {
  const [, recordOfList] = /^delete(\w+?)sOf/.exec(name) ?? [];
  const type = getNullableType(field.type);
  if (recordOfList)
    expect({ isList: isListType(type), itemType: getNamedType(type).name }).toEqual({
      isList: true,
      itemType: expect.stringMatching(new RegExp(`${recordOfList}$`)),
    });
  else expect(type).toBe(schema.getType(recordOf(name)));
});

test('every mutation returns an object type', () => {
  expect(mutations.flatMap(({ name, type }) => (isLeafType(getNamedType(type)) ? [name] : []))).toEqual([]);
});
