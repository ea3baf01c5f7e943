import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { forbiddenChanges, incompleteDeprecations } from '../../src/commands/breaking-changes.js';

const today = '2027-06-01';
const removableToday = '@deprecated(reason: "Use `title`. Removed on or after 2027-06-01.")';
const removableTomorrow = '@deprecated(reason: "Use `title`. Removed on or after 2027-06-02.")';
const refusals = (before: string, after: string) => forbiddenChanges(buildSchema(before), buildSchema(after), today);
const query = (fields: string, more = '') => `type Query { title: Int ${fields} } ${more}`;

test.each([
  ['a field that is not deprecated', query('name: Int'), query(''), 1],
  ['a deprecated field without a removal date', query('name: Int @deprecated(reason: "Use `title`.")'), query(''), 1],
  ['a field before its removal date', query(`name: Int ${removableTomorrow}`), query(''), 1],
  ['a field on its removal date', query(`name: Int ${removableToday}`), query(''), 0],
  [
    'a field with an invalid removal date',
    query('name: Int @deprecated(reason: "Use `title`. Removed on or after 2027-02-30.")'),
    query(''),
    1,
  ],
  ['a changed type', query('name: Int'), query('name: String'), 1],
  ['a changed type on the removal date', query(`name: Int ${removableToday}`), query('name: String'), 0],
  ['an argument', query('list(n: Int): Int'), query('list: Int'), 1],
  ['an argument on its removal date', query(`list(n: Int ${removableToday}): Int`), query('list: Int'), 0],
  ['a new required argument', query('list: Int'), query('list(n: Int!): Int'), 1],
  ['an enum value', query('e: E', 'enum E { A B }'), query('e: E', 'enum E { A }'), 1],
  ['an enum value on its removal date', query('e: E', `enum E { A B ${removableToday} }`), query('e: E', 'enum E { A }'), 0],
  ['an input field', query('e(i: I): Int', 'input I { a: Int b: Int }'), query('e(i: I): Int', 'input I { a: Int }'), 1],
  [
    'an input field on its removal date',
    query('e(i: I): Int', `input I { a: Int b: Int ${removableToday} }`),
    query('e(i: I): Int', 'input I { a: Int }'),
    0,
  ],
  ['a type that a removed field returns', query('t: T', 'type T { x: Int }'), query(''), 2],
  [
    'a type that no remaining field returns',
    query(`t: T ${removableToday}`, 'type T { x: T u: U } type U { t: T }'),
    query(''),
    0,
  ],
  [
    'a type that another field still returns',
    query(`t: T ${removableToday} t2: T`, 'type T { x: Int }'),
    query('', 'type T { x: Int }'),
    1,
  ],
  [
    'a type that only the Node interface would refer to',
    query(`t: T ${removableToday} node: Node`, 'interface Node { id: ID } type T implements Node { id: ID }'),
    query('node: Node', 'interface Node { id: ID }'),
    0,
  ],
  [
    'a union member',
    query('u: U', 'union U = A | B type A { x: Int } type B { x: Int }'),
    query('u: U b: B', 'union U = A type A { x: Int } type B { x: Int }'),
    1,
  ],
  ['an added field', query(''), query('name: Int'), 0],
])('breaking changes are refused until their removal date: %s', async (_, before, after, count) => {
  expect(await refusals(before, after)).toHaveLength(count);
});

test('deprecations without a replacement or a removal date are reported', () => {
  const schema = buildSchema(
    query(`a: Int ${removableToday} b: Int @deprecated c: Int @deprecated(reason: "Use \`a\`.") d: Int @deprecated(reason: "Removed on or after 2027-06-01.")
      e(f: Int @deprecated(reason: "Use g. Removed on or after 2027-06-01.")): Int`),
  );
  expect(incompleteDeprecations(schema)).toEqual([
    'Query.b: No longer supported',
    'Query.c: Use `a`.',
    'Query.d: Removed on or after 2027-06-01.',
    'Query.e.f: Use g. Removed on or after 2027-06-01.',
  ]);
});
