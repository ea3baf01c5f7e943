import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { refusedChanges, vagueDeprecations } from '../../src/commands/policy-for-change.js';

const today = '2027-06-01';
const over = '@deprecated(reason: "Use `title`. Goes on 2027-06-01.")';
const later = '@deprecated(reason: "Use `title`. Goes on 2027-06-02.")';
const refused = (before: string, after: string) => refusedChanges(buildSchema(before), buildSchema(after), today);
const query = (fields: string, more = '') => `type Query { title: Int ${fields} } ${more}`;

test.each([
  ['a field without a word', query('name: Int'), query(''), 1],
  ['a field without a date', query('name: Int @deprecated(reason: "Use `title`.")'), query(''), 1],
  ['a field before its day', query(`name: Int ${later}`), query(''), 1],
  ['a field on its day', query(`name: Int ${over}`), query(''), 0],
  ['a day that is none', query('name: Int @deprecated(reason: "Use `title`. Goes on 2027-02-30.")'), query(''), 1],
  ['another type', query('name: Int'), query('name: String'), 1],
  ['another type on its day', query(`name: Int ${over}`), query('name: String'), 0],
  ['an argument', query('list(n: Int): Int'), query('list: Int'), 1],
  ['an argument on its day', query(`list(n: Int ${over}): Int`), query('list: Int'), 0],
  ['a required argument', query('list: Int'), query('list(n: Int!): Int'), 1],
  ['a value', query('e: E', 'enum E { A B }'), query('e: E', 'enum E { A }'), 1],
  ['a value on its day', query('e: E', `enum E { A B ${over} }`), query('e: E', 'enum E { A }'), 0],
  ['a field of an input', query('e(i: I): Int', 'input I { a: Int b: Int }'), query('e(i: I): Int', 'input I { a: Int }'), 1],
  ['one on its day', query('e(i: I): Int', `input I { a: Int b: Int ${over} }`), query('e(i: I): Int', 'input I { a: Int }'), 0],
  ['a type that a field gives', query('t: T', 'type T { x: Int }'), query(''), 2],
  ['a type that no field gives any more', query(`t: T ${over}`, 'type T { x: T u: U } type U { t: T }'), query(''), 0],
  ['a type that one field still gives', query(`t: T ${over} t2: T`, 'type T { x: Int }'), query('', 'type T { x: Int }'), 1],
  [
    'a record, which Node alone would hold',
    query(`t: T ${over} node: Node`, 'interface Node { id: ID } type T implements Node { id: ID }'),
    query('node: Node', 'interface Node { id: ID }'),
    0,
  ],
  [
    'a member of a union',
    query('u: U', 'union U = A | B type A { x: Int } type B { x: Int }'),
    query('u: U b: B', 'union U = A type A { x: Int } type B { x: Int }'),
    1,
  ],
  ['what only grows', query(''), query('name: Int'), 0],
])('%s: what goes before its day is refused', async (_, before, after, count) => {
  expect(await refused(before, after)).toHaveLength(count);
});

test('a deprecation says what to use, and from which day on it may be gone', () => {
  const schema = buildSchema(
    query(`a: Int ${over} b: Int @deprecated c: Int @deprecated(reason: "Use \`a\`.") d: Int @deprecated(reason: "Goes on 2027-06-01.")
      e(f: Int @deprecated(reason: "Use g. Goes on 2027-06-01.")): Int`),
  );
  expect(vagueDeprecations(schema)).toEqual([
    'Query.b: No longer supported',
    'Query.c: Use `a`.',
    'Query.d: Goes on 2027-06-01.',
    'Query.e.f: Use g. Goes on 2027-06-01.',
  ]);
});
