import { expect, test } from 'vitest';
import {
  anyOf,
  currentTimestamp,
  expression,
  mainRow,
  parameter,
  Shape,
  tableNamed,
} from '../../src/kernel/declare/expression.js';
import { queryBuilder, readingSql, Statement } from '../../src/kernel/statement.js';

const equals = (value: unknown) => expression`${mainRow.column('title')} = ${parameter(value)}`;

test('expressions with the same structure have the same key, whatever their values are', () => {
  const shapes = ['a', 'b'].map((value) => new Shape().add('list', [equals(value), equals(1)]));
  expect({ keys: new Set(shapes.map(({ key }) => key)).size, values: shapes.map(({ values }) => values) }).toEqual({
    keys: 1,
    values: [
      ['a', 1],
      ['b', 1],
    ],
  });
});

test('the key distinguishes a value that occurs twice from two equal values', () => {
  const [value, other] = [parameter('a'), parameter('a')];
  const keys = [anyOf([value, value]), anyOf([value, other])].map((condition) => new Shape().add(condition).key);
  expect(new Set(keys).size).toBe(2);
});

const id = parameter('x');
const isListed = expression`exists (select from ${tableNamed('team')} t where t.id = ${id} and t.seed = ${parameter(2)} or r.id = ${id})`;
const condition = expression`${isListed} and r.ends_at > ${currentTimestamp}`;

test('SQL text has the facts of nested expressions, and one parameter for each of their values', () => {
  expect(readingSql(condition)).toEqual([
    {
      text: 'exists (select from team t where t.id = $1 and t.seed = $2 or r.id = $1) and r.ends_at > now()',
      kind: 'read',
      readTables: ['team'],
      writtenTables: [],
      otherDependency: 'now',
    },
    ['x', 2],
  ]);
});

test('a typed statement takes its values from a shape with the same structure', () => {
  const shape = new Shape().add('rows', parameter(7), condition);
  const statement = new Statement(queryBuilder.selectFrom('club as r').select('r.id').where(condition.typed()), shape);
  const { readTables, otherDependency } = statement;
  expect({ readTables, otherDependency, parameters: statement.parametersFor(shape.values) }).toEqual({
    readTables: ['club', 'team'],
    otherDependency: 'now',
    parameters: ['x', 2, 'x'],
  });
});

test('reading the column updated_at is recorded as a dependency', () => {
  const [{ text, otherDependency }] = readingSql(expression`select ${mainRow.column('updated_at')}`);
  expect({ text, otherDependency }).toEqual({ text: 'select r.updated_at', otherDependency: 'updated_at' });
});
