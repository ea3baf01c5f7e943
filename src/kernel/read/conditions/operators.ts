import { Float, getMetadataStorage, ID, Int } from 'type-graphql';
import { expectedWithoutNul, reject } from '../../declare/errors.js';
import { GeneratedType, type InputValueSpec } from '../../declare/fields/generated.js';
import type { Column, FieldMeta } from '../../declare/meta.js';
import { Problems, runChecks } from '../../declare/problems.js';
import { toNfc } from '../../declare/scalars/nfc.js';
import { Day, Instant, LocalDateTime, Money } from '../../declare/scalars/scalars.js';
import { writeTime } from '../../facts.js';
import type { Param } from '../../session.js';

interface Operator {
  description: string;
  list?: boolean;
  /** Maximum length of the text in characters. */
  max?: number;
  /** Comparison that a name table can evaluate. Default: none. */
  match?: MatchKind;
  sql: (column: string, value: unknown, param: (value: unknown) => string) => string;
}

/** Comparison with a pattern, with one text, or with several texts. */
type MatchKind = 'pattern' | 'equal' | 'anyOf';

/** Maximum length of a search text in characters, because the database compares it with every part of every row. */
const maxSearch = 1000;

const escapeLike = (text: unknown) => String(text).replace(/[\\%_]/g, '\\$&');
const compare = (sign: string, description: string, match?: MatchKind): Operator => ({
  description,
  ...(match && { match }),
  sql: (c, v, p) => `${c} ${sign} ${p(v)}`,
});
/** Operators that test for equality. */
export const equalityOperators = {
  eq: compare('=', 'Equal to.', 'equal'),
  ne: { description: 'Not equal to, or unset.', sql: (c, v, p) => `${c} is distinct from ${p(v)}` },
  in: { description: 'One of these.', list: true, match: 'anyOf', sql: (c, v, p) => `${c} = any(${p(v)})` },
} satisfies Operators;
const orderOperators: Record<string, Operator> = {
  gt: compare('>', 'Greater (later) than.'),
  gte: compare('>=', 'Greater (later) than, or equal to.'),
  lt: compare('<', 'Less (earlier) than.'),
  lte: compare('<=', 'Less (earlier) than, or equal to.'),
};
const textual: Record<string, Operator> = {
  contains: {
    description: `Contains this text of at most ${maxSearch} characters, in any case.`,
    max: maxSearch,
    match: 'pattern',
    sql: (c, v, p) => `${c} ilike ${p(`%${escapeLike(v)}%`)}`,
  },
  startsWith: {
    description: `Starts with this text of at most ${maxSearch} characters, in any case.`,
    max: maxSearch,
    match: 'pattern',
    sql: (c, v, p) => `${c} ilike ${p(`${escapeLike(v)}%`)}`,
  },
};
const listOperators: Record<string, Operator> = {
  has: { description: 'Has this item.', sql: (c, v, p) => `${c} @> array[${p(v)}]::text[]` },
  hasAny: { description: 'Has at least one of these items.', list: true, sql: (c, v, p) => `${c} && ${p(v)}` },
};
const isNull: Record<string, Operator> = {
  isNull: {
    description: 'True: matches unset values. False: matches set values.',
    sql: (c, v) => `${c} is ${v ? '' : 'not '}null`,
  },
};

type Operators = Readonly<Record<string, Operator>>;

/** Input type with operators. With `similarType`, its description refers to that input type, which has the same operators. */
function operatorInput(name: string, type: () => object, description: string, table: Operators, similarType?: string) {
  const operand = ([key, { description: text, list }]: [string, Operator]): [string, InputValueSpec] => {
    const item = key === 'isNull' ? Boolean : type();
    return [key, { type: () => (list ? [item] : item), ...(similarType ? { meaning: text } : { description: text }) }];
  };
  const note = similarType ? `The operators are those of \`${similarType}\`.` : 'All conditions must match.';
  const input = new GeneratedType(name, {
    kind: 'input',
    description: `${description} ${note}`,
    fields: () => Object.fromEntries(Object.entries(table).map(operand)),
  });
  return { input, table };
}

const operators = (name: string, type: () => object, description: string, table: Operators, similarType?: string) =>
  operatorInput(name, type, description, { ...table, ...isNull }, similarType);

const byKind = {
  id: operators('IdFilter', () => ID, 'Conditions on an ID.', equalityOperators),
  text: operators('TextFilter', () => String, 'Conditions on a string. Strings are compared in Unicode NFC.', {
    ...equalityOperators,
    ...textual,
  }),
  int: operators('IntFilter', () => Int, 'Conditions on a whole number.', { ...equalityOperators, ...orderOperators }),
  num: operators('NumberFilter', () => Float, 'Conditions on a number.', { ...equalityOperators, ...orderOperators }),
  money: operators('MoneyFilter', () => Money, 'Conditions on an amount.', { ...equalityOperators, ...orderOperators }),
  instant: operators('InstantFilter', () => Instant, 'Conditions on a point in time.', {
    ...equalityOperators,
    ...orderOperators,
  }),
  list: operators('TextListFilter', () => String, 'Conditions on a list of texts.', listOperators),
};
const idListOperators = operators('IdListFilter', () => ID, 'Conditions on a list of IDs.', listOperators);
const byShownKind = {
  id: byKind.id,
  int: byKind.int,
  money: byKind.money,
  day: operators('DateFilter', () => Day, 'Conditions on a day.', { ...equalityOperators, ...orderOperators }),
  local: operators('LocalDateTimeFilter', () => LocalDateTime, 'Conditions on a local time.', {
    ...equalityOperators,
    ...orderOperators,
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

/** Operators on an enumeration, such as `ReactionKindFilter` for `ReactionKind`. */
export function enumOperators(values: object): OperatorInput {
  const name = enumerationName(values);
  const input =
    enumOperatorsByValues.get(values) ??
    operators(`${name}Filter`, () => values, `Conditions on a value of \`${name}\`.`, equalityOperators, 'IdFilter');
  enumOperatorsByValues.set(values, input);
  return input;
}

/** Operators on lists of values of an enumeration, such as `GameTypeListFilter` for `GameType`. */
export function enumListOperators(values: object): OperatorInput {
  const name = enumerationName(values);
  const input =
    enumListOperatorsByValues.get(values) ??
    operatorInput(`${name}ListFilter`, () => values, `Conditions on values of \`${name}\`.`, listOperators, 'IdListFilter');
  enumListOperatorsByValues.set(values, input);
  return input;
}

/** Operators on lists of numbers. */
export const numberListOperators: OperatorInput = operatorInput(
  'NumberListFilter',
  () => Float,
  'Conditions on a list of numbers.',
  listOperators,
);

/** Operators on an ID. */
export const idOperators: OperatorInput = byKind.id;

/** Operators on points in time. */
export const instantOperators: OperatorInput = byKind.instant;

/** Operators for a column. Null for flags, which are compared with a Boolean. */
export function operatorsOf({ field }: Column) {
  if (field.conversion?.filter === 'flag') return null;
  if (field.conversion?.filter) return byShownKind[field.conversion.filter];
  if (field.kind === 'ref') return byKind.id;
  if (field.values) return enumOperators(field.values);
  if (field.kind === 'list' && field.ref) return idListOperators;
  if (field.kind === 'flag' || field.kind === 'group' || field.kind === 'json' || field.kind === 'values') return null;
  return byKind[field.kind];
}

const identity = (value: unknown): unknown => value;

/** SQL of a column for comparisons, and a function that converts operands to the same form. */
function comparison({ isUpperCase, kind, comparison, readOnly, conversion, unique }: FieldMeta, sql: string) {
  if (conversion) return { compared: conversion.sql(sql), toOperand: identity };
  if (kind !== 'text' || comparison === 'exact') return { compared: sql, toOperand: identity };
  // Codes and slugs are generated by the service and consist of ASCII.
  const comparedSql = comparison === 'nfc' || (readOnly && unique) ? sql : `nfc(${sql})`;
  return { compared: comparedSql, toOperand: isUpperCase ? (value: unknown) => toUpperCase(toNfc(value)) : toNfc };
}

/** SQL conditions on a column, or on the expression `sql` in its place. */
export function columnConditions(
  column: Column,
  operands: unknown,
  param: Param,
  path: string,
  sql = `${param.row}.${column.column}`,
): string[] {
  return comparisonsOf(column, operands, param, path, sql).map(({ condition }) => condition);
}

/** Comparisons of a column, or of the expression `sql` in its place. */
export function comparisonsOf(
  column: Column,
  operands: unknown,
  param: Param,
  path: string,
  sql = `${param.row}.${column.column}`,
): Comparison[] {
  if (column.column === writeTime) param.dependOn(writeTime);
  const { compared, toOperand } = comparison(column.field, sql);
  const kind = operatorsOf(column);
  if (!kind || typeof operands !== 'object' || operands === null)
    return [{ condition: `${compared} = ${param(operands)}`, match: null }];
  return comparisonsBy(kind.table, operands, param, path, compared, toOperand);
}

/** A condition, and its operand if a name table can evaluate it: kind, placeholder and value. */
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

/** SQL conditions of an operator input on an SQL expression. */
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
    if (operand === null) return reject(`${path}.${name}`, 'a value, use isNull to match unset values');
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

/** Rejects a search text that is too long. */
export function checkSearch(path: string, text: unknown, max = maxSearch): void {
  if (String(text).length > max) reject(path, `at most ${max} characters`);
}
