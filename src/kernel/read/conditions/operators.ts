import { Float, getMetadataStorage, ID, Int } from 'type-graphql';
import { expectedWithoutNul, reject } from '../../declare/errors.js';
import {
  constantSql,
  expression,
  type Parameter,
  parameter,
  type RowReference,
  type SqlExpression,
} from '../../declare/expression.js';
import { GeneratedType, type InputValueSpec } from '../../declare/fields/generated.js';
import type { Column, FieldMeta } from '../../declare/meta.js';
import { Problems, runChecks } from '../../declare/problems.js';
import { Day, Instant, LocalDateTime, Money } from '../../declare/scalars/scalars.js';
import { containsPattern, escapeLike, toNfc } from '../../declare/scalars/text.js';

interface Operator {
  description: string;
  list?: boolean;
  /** Maximum length of a text operand in characters. */
  max?: number;
  /** Kind of comparison, if a name table can evaluate this operator. */
  match?: MatchKind;
  /** Converts the operand to the value that is sent to the database. */
  toSent?: (value: string) => string;
  sql: (column: SqlExpression, operand: Parameter) => SqlExpression;
}

/** Kind of comparison: with a pattern, with one string, or with any of several strings. */
type MatchKind = 'pattern' | 'equal' | 'anyOf';

/** Maximum length of a search text in characters. The database compares the text with every substring of every row. */
const maxSearch = 1000;

function compare(sign: string, description: string, match?: MatchKind): Operator {
  const operator = constantSql(sign);
  return { description, ...(match && { match }), sql: (column, operand) => expression`${column} ${operator} ${operand}` };
}

const matchesPattern: Operator['sql'] = (column, pattern) => expression`${column} ilike ${pattern}`;

/** Operators that test for equality. */
export const equalityOperators = {
  eq: compare('=', 'Equal to this value.', 'equal'),
  ne: {
    description: 'Not equal to this value, or unset.',
    sql: (column, operand) => expression`${column} is distinct from ${operand}`,
  },
  in: {
    description: 'One of these values.',
    list: true,
    match: 'anyOf',
    sql: (column, operand) => expression`${column} = any(${operand})`,
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
    toSent: containsPattern,
    sql: matchesPattern,
  },
  startsWith: {
    description: `Starts with this text of at most ${maxSearch} characters, ignoring case.`,
    max: maxSearch,
    match: 'pattern',
    toSent: (value) => `${escapeLike(value)}%`,
    sql: matchesPattern,
  },
};
const listOperators: Record<string, Operator> = {
  has: { description: 'Has this item.', sql: (column, operand) => expression`${column} @> array[${operand}]::text[]` },
  hasAny: {
    description: 'Has at least one of these items.',
    list: true,
    sql: (column, operand) => expression`${column} && ${operand}`,
  },
};
const nullOperators: Record<string, Operator> = {
  isNull: {
    description: 'True: matches unset values. False: matches set values.',
    sql: (column, { value }) => (value ? expression`${column} is null` : expression`${column} is not null`),
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

export const numberListOperators: OperatorInput = operatorInput(
  'NumberListFilter',
  () => Float,
  'Conditions on a list of numbers.',
  listOperators,
);

export const idOperators: OperatorInput = byKind.id;

export const instantOperators: OperatorInput = byKind.instant;

/** Returns the operators for a column. Null for flags, whose filter is a Boolean, and for columns that cannot be compared, such as JSON. */
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
function comparison(
  { isUpperCase, kind, comparison, readOnly, conversion, unique }: FieldMeta,
  sql: SqlExpression,
  row: RowReference,
) {
  if (conversion) return { compared: conversion.sql(sql, row), toOperand: identity };
  if (kind !== 'text' || comparison === 'exact') return { compared: sql, toOperand: identity };
  // Read-only unique texts need no normalization: they are codes and slugs that the service generates in ASCII.
  const compared = comparison === 'nfc' || (readOnly && unique) ? sql : expression`nfc(${sql})`;
  return { compared, toOperand: isUpperCase ? (value: unknown) => toUpperCase(toNfc(value)) : toNfc };
}

/** Returns conditions on a column. If `sql` is given, they apply to that expression instead. */
export const columnConditions = (
  column: Column,
  operands: unknown,
  row: RowReference,
  path: string,
  sql?: SqlExpression,
): SqlExpression[] => comparisonsOf(column, operands, row, path, sql).map(({ condition }) => condition);

/** Returns the comparisons with a column. If `sql` is given, they use that expression instead. */
export function comparisonsOf(
  column: Column,
  operands: unknown,
  row: RowReference,
  path: string,
  sql = row.column(column.column),
): Comparison[] {
  const { compared, toOperand } = comparison(column.field, sql, row);
  const kind = operatorsOf(column);
  if (!kind || typeof operands !== 'object' || operands === null)
    return [{ condition: expression`${compared} = ${parameter(operands)}`, match: null }];
  return comparisonsBy(kind.table, operands, compared, path, toOperand);
}

/** Condition for an operator. If a name table can evaluate it, `match` contains the kind of comparison and the operand. */
interface Comparison {
  readonly condition: SqlExpression;
  readonly match: { readonly kind: MatchKind; readonly operand: Parameter } | null;
}

function compareBy({ match: kind, toSent, sql }: Operator, compared: SqlExpression, operandValue: unknown): Comparison {
  const operand = parameter(toSent ? toSent(String(operandValue)) : operandValue);
  return { condition: sql(compared, operand), match: kind ? { kind, operand } : null };
}

/** Returns the conditions that an operator input sets on an SQL expression. */
export const conditionsBy = (table: Operators, operands: object, compared: SqlExpression, path: string): SqlExpression[] =>
  comparisonsBy(table, operands, compared, path, identity).map(({ condition }) => condition);

function comparisonsBy(
  table: Operators,
  operands: object,
  compared: SqlExpression,
  path: string,
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
    return operator ? [compareBy(operator, compared, toOperand(operand))] : [];
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
