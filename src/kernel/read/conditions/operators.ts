import { Float, getMetadataStorage, ID, Int } from 'type-graphql';
import { expectedWithoutNul, reject } from '../../declare/errors.js';
import { GeneratedType, type InputValueSpec } from '../../declare/fields/generated.js';
import type { Column, FieldMeta } from '../../declare/meta.js';
import { Problems, runChecks } from '../../declare/problems.js';
import { Day, Instant, LocalDateTime, Money } from '../../declare/scalars/scalars.js';
import { containsPattern, escapeLike, toNfc } from '../../declare/scalars/text.js';
import { writeTime } from '../../facts.js';
import type { Param } from '../../session.js';

interface Operator {
  description: string;
  list?: boolean;
  /** Maximum length of a text operand in characters. */
  max?: number;
  /** Kind of comparison, if a name table can evaluate this operator. */
  match?: MatchKind;
  sql: (column: string, value: unknown, param: (value: unknown) => string) => string;
}

/** Kind of comparison: with a pattern, with one string, or with any of several strings. */
type MatchKind = 'pattern' | 'equal' | 'anyOf';

/** Maximum length of a search text in characters. The database compares the text with every substring of every row. */
const maxSearch = 1000;

const compare = (sign: string, description: string, match?: MatchKind): Operator => ({
  description,
  ...(match && { match }),
  sql: (column, value, param) => `${column} ${sign} ${param(value)}`,
});
/** Operators that test for equality. */
export const equalityOperators = {
  eq: compare('=', 'Equal to this value.', 'equal'),
  ne: {
    description: 'Not equal to this value, or unset.',
    sql: (column, value, param) => `${column} is distinct from ${param(value)}`,
  },
  in: {
    description: 'One of these values.',
    list: true,
    match: 'anyOf',
    sql: (column, value, param) => `${column} = any(${param(value)})`,
  },
} satisfies Operators;
const orderOperators: Record<string, Operator> = {
  gt: compare('>', 'Greater than this value.'),
  gte: compare('>=', 'Greater than or equal to this value.'),
  lt: compare('<', 'Less than this value.'),
  lte: compare('<=', 'Less than or equal to this value.'),
};
const timeOperators: Record<string, Operator> = {
  gt: compare('>', 'After this time.'),
  gte: compare('>=', 'At or after this time.'),
  lt: compare('<', 'Before this time.'),
  lte: compare('<=', 'At or before this time.'),
};
const dateOperators: Record<string, Operator> = {
  gt: compare('>', 'After this date.'),
  gte: compare('>=', 'On or after this date.'),
  lt: compare('<', 'Before this date.'),
  lte: compare('<=', 'On or before this date.'),
};
const textOperators: Record<string, Operator> = {
  contains: {
    description: `Contains this text of at most ${maxSearch} characters, ignoring case.`,
    max: maxSearch,
    match: 'pattern',
    sql: (column, value, param) => `${column} ilike ${param(containsPattern(String(value)))}`,
  },
  startsWith: {
    description: `Starts with this text of at most ${maxSearch} characters, ignoring case.`,
    max: maxSearch,
    match: 'pattern',
    sql: (column, value, param) => `${column} ilike ${param(`${escapeLike(String(value))}%`)}`,
  },
};
const listOperators: Record<string, Operator> = {
  has: { description: 'Has this item.', sql: (column, value, param) => `${column} @> array[${param(value)}]::text[]` },
  hasAny: {
    description: 'Has at least one of these items.',
    list: true,
    sql: (column, value, param) => `${column} && ${param(value)}`,
  },
};
const nullOperators: Record<string, Operator> = {
  isNull: {
    description: 'True: matches unset values. False: matches set values.',
    sql: (column, value) => `${column} is ${value ? '' : 'not '}null`,
  },
};

type Operators = Readonly<Record<string, Operator>>;

/** Returns an input type with operators. If `similarType` is given, the description refers to that type, which has the same operators. */
function operatorInput(name: string, type: () => object, description: string, table: Operators, similarType?: string) {
  const operand = ([key, { description: text, list }]: [string, Operator]): [string, InputValueSpec] => {
    const item = key === 'isNull' ? Boolean : type();
    return [key, { type: () => (list ? [item] : item), ...(similarType ? { meaning: text } : { description: text }) }];
  };
  const note = similarType ? `Same operators as \`${similarType}\`.` : 'All conditions must match.';
  const input = new GeneratedType(name, {
    kind: 'input',
    description: `${description} ${note}`,
    fields: () => Object.fromEntries(Object.entries(table).map(operand)),
  });
  return { input, table };
}

const operators = (name: string, type: () => object, description: string, table: Operators, similarType?: string) =>
  operatorInput(name, type, description, { ...table, ...nullOperators }, similarType);

const byKind = {
  id: operators('IdFilter', () => ID, 'Conditions on an ID.', equalityOperators),
  text: operators('TextFilter', () => String, 'Conditions on a string. Strings are compared in Unicode NFC.', {
    ...equalityOperators,
    ...textOperators,
  }),
  int: operators('IntFilter', () => Int, 'Conditions on an integer.', { ...equalityOperators, ...orderOperators }),
  num: operators('NumberFilter', () => Float, 'Conditions on a number.', { ...equalityOperators, ...orderOperators }),
  money: operators('MoneyFilter', () => Money, 'Conditions on an amount.', { ...equalityOperators, ...orderOperators }),
  instant: operators('InstantFilter', () => Instant, 'Conditions on a point in time.', {
    ...equalityOperators,
    ...timeOperators,
  }),
  list: operators('TextListFilter', () => String, 'Conditions on a list of strings.', listOperators),
};
const idListOperators = operators('IdListFilter', () => ID, 'Conditions on a list of IDs.', listOperators);
const byConversion = {
  id: byKind.id,
  int: byKind.int,
  money: byKind.money,
  day: operators('DateFilter', () => Day, 'Conditions on a date.', { ...equalityOperators, ...dateOperators }),
  local: operators('LocalDateTimeFilter', () => LocalDateTime, 'Conditions on a local date and time.', {
    ...equalityOperators,
    ...timeOperators,
  }),
};
type OperatorInput = ReturnType<typeof operatorInput>;
const enumOperatorsByValues = new Map<object, OperatorInput>();
const enumListOperatorsByValues = new Map<object, OperatorInput>();

function enumerationName(values: object): string {
  const name = getMetadataStorage().enums.find(({ enumObj }) => enumObj === values)?.name;
  if (!name) throw new Error(`an enumeration is not registered: ${Object.keys(values).join(', ')}`);
  return name;
}

/** Returns the operators for an enumeration, such as `ReactionKindFilter` for `ReactionKind`. */
export function enumOperators(values: object): OperatorInput {
  const name = enumerationName(values);
  const input =
    enumOperatorsByValues.get(values) ??
    operators(`${name}Filter`, () => values, `Conditions on a value of \`${name}\`.`, equalityOperators, 'IdFilter');
  enumOperatorsByValues.set(values, input);
  return input;
}

/** Returns the operators for lists of enumeration values, such as `GameTypeListFilter` for `GameType`. */
export function enumListOperators(values: object): OperatorInput {
  const name = enumerationName(values);
  const input =
    enumListOperatorsByValues.get(values) ??
    operatorInput(
      `${name}ListFilter`,
      () => values,
      `Conditions on a list of \`${name}\` values.`,
      listOperators,
      'NumberListFilter',
    );
  enumListOperatorsByValues.set(values, input);
  return input;
}

/** Operators for lists of numbers. */
export const numberListOperators: OperatorInput = operatorInput(
  'NumberListFilter',
  () => Float,
  'Conditions on a list of numbers.',
  listOperators,
);

/** Operators for IDs. */
export const idOperators: OperatorInput = byKind.id;

/** Operators for points in time. */
export const instantOperators: OperatorInput = byKind.instant;

/** Returns the operators for a column. Null for flags, which are compared with a Boolean. */
export function operatorsOf({ field }: Column) {
  if (field.conversion?.filter === 'flag') return null;
  if (field.conversion?.filter) return byConversion[field.conversion.filter];
  if (field.kind === 'ref') return byKind.id;
  if (field.values) return enumOperators(field.values);
  if (field.kind === 'list' && field.ref) return idListOperators;
  if (field.kind === 'flag' || field.kind === 'group' || field.kind === 'json' || field.kind === 'values') return null;
  return byKind[field.kind];
}

const identity = (value: unknown): unknown => value;

/** Returns the SQL expression for comparing a column, and a function that normalizes operands in the same way. */
function comparison({ isUpperCase, kind, comparison, readOnly, conversion, unique }: FieldMeta, sql: string) {
  if (conversion) return { expression: conversion.sql(sql), toOperand: identity };
  if (kind !== 'text' || comparison === 'exact') return { expression: sql, toOperand: identity };
  // Read-only unique texts are codes and slugs that the service generates in ASCII.
  const comparedSql = comparison === 'nfc' || (readOnly && unique) ? sql : `nfc(${sql})`;
  return { expression: comparedSql, toOperand: isUpperCase ? (value: unknown) => toUpperCase(toNfc(value)) : toNfc };
}

/** Returns SQL conditions on a column. If `sql` is given, they apply to that expression instead. */
export function columnConditions(
  column: Column,
  operands: unknown,
  param: Param,
  path: string,
  sql = `${param.row}.${column.column}`,
): string[] {
  return comparisonsOf(column, operands, param, path, sql).map(({ condition }) => condition);
}

/** Returns the comparisons with a column. If `sql` is given, they use that expression instead. */
export function comparisonsOf(
  column: Column,
  operands: unknown,
  param: Param,
  path: string,
  sql = `${param.row}.${column.column}`,
): Comparison[] {
  if (column.column === writeTime) param.dependOn(writeTime);
  const { expression, toOperand } = comparison(column.field, sql);
  const kind = operatorsOf(column);
  if (!kind || typeof operands !== 'object' || operands === null)
    return [{ condition: `${expression} = ${param(operands)}`, match: null }];
  return comparisonsBy(kind.table, operands, param, path, expression, toOperand);
}

/** SQL condition. If a name table can evaluate it, `match` contains its kind and its operand. */
interface Comparison {
  readonly condition: string;
  readonly match: { readonly kind: MatchKind; readonly placeholder: string; readonly value: unknown } | null;
}

function compareBy({ match: kind, sql }: Operator, comparedSql: string, operand: unknown, param: Param): Comparison {
  if (!kind) return { condition: sql(comparedSql, operand, param), match: null };
  let [placeholder, value]: [string, unknown] = ['', null];
  const condition = sql(comparedSql, operand, (operandValue) => {
    [placeholder, value] = [param(operandValue), operandValue];
    return placeholder;
  });
  return { condition, match: { kind, placeholder, value } };
}

/** Returns the SQL conditions of an operator input on an SQL expression. */
export const conditionsBy = (table: Operators, operands: object, param: Param, path: string, expression: string): string[] =>
  comparisonsBy(table, operands, param, path, expression, identity).map(({ condition }) => condition);

function comparisonsBy(
  table: Operators,
  operands: object,
  param: Param,
  path: string,
  expression: string,
  toOperand: (value: unknown) => unknown,
): Comparison[] {
  const condition = (name: string, operand: unknown): Comparison[] => {
    if (operand === undefined) return [];
    if (operand === null) return reject(`${path}.${name}`, 'a value (use isNull to match unset values)');
    const problems = new Problems();
    for (const [index, text] of [operand].flat().entries())
      if (typeof text === 'string' && text.includes('\0'))
        problems.add(`${path}.${name}${Array.isArray(operand) ? `[${index}]` : ''}`, expectedWithoutNul);
    problems.throwIfAny();
    const operator = table[name];
    if (operator?.max) checkSearch(`${path}.${name}`, operand, operator.max);
    return operator ? [compareBy(operator, expression, toOperand(operand), param)] : [];
  };
  return runChecks(
    ...Object.entries(operands).map(
      ([name, operand]) =>
        () =>
          condition(name, operand),
    ),
  ).flat();
}

const toUpperCase = (operand: unknown): unknown => {
  if (Array.isArray(operand)) return operand.map(toUpperCase);
  return typeof operand === 'string' ? operand.toUpperCase() : operand;
};

/** Throws BAD_INPUT if a search text is too long. */
export function checkSearch(path: string, text: unknown, max = maxSearch): void {
  if (String(text).length > max) reject(path, `at most ${max} characters`);
}
