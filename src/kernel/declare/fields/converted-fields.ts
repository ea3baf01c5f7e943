import { ID, Int } from 'type-graphql';
import { constantSql, expression } from '../expression.js';
import type { Conversion, FieldMeta } from '../meta.js';
import { Day, LocalDateTime, Money, normalizeDecimal } from '../scalars/scalars.js';
import { declare, type FieldDecorator } from './fields.js';

// Options of fields whose columns contain values as platforms sent them. The graph shows typed values instead.

type Options = Partial<Pick<FieldMeta, 'nameReference' | 'private' | 'nullSortsAs' | 'readOnly'>>;

const [minInteger, maxInteger] = [-(2 ** 31), 2 ** 31 - 1];
const integerRange = constantSql(`between ${minInteger} and ${maxInteger}`);
const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= minInteger && value <= maxInteger;
const identity = (value: unknown): unknown => value;

const integerConversion: Conversion = {
  toGraph: (storedValue) => (typeof storedValue === 'number' && isInt32(storedValue) ? storedValue : null),
  toStored: identity,
  expected: 'a 32-bit integer',
  sql: (column) => expression`(case when ${column} = trunc(${column}) and ${column} ${integerRange} then ${column} end)`,
  type: 'float8',
  filter: 'int',
};

/** Declares a 32-bit integer that is stored as a float. Other stored numbers are returned as null. */
export const integerInNumber = (description: string, options: Options = {}): FieldDecorator<number | null> =>
  declare('num', () => Int, description, { ...options, conversion: integerConversion });

const idConversion: Conversion = {
  ...integerConversion,
  toGraph: (storedValue) => integerConversion.toGraph(storedValue)?.toString() ?? null,
  toStored: (input) => (/^-?[0-9]{1,10}$/.test(String(input)) && isInt32(Number(input)) ? Number(input) : undefined),
  expected: 'an id that is a 32-bit integer',
  sql: (column, row) => expression`(${integerConversion.sql(column, row)}::int::text)`,
  type: 'text',
  filter: 'id',
};

/** Declares an ID that is stored as a number. Stored numbers that are not 32-bit integers are returned as null. */
export const idInNumber = (description: string, options: Options = {}): FieldDecorator<number | null> =>
  declare('num', () => ID, description, { ...options, conversion: idConversion });

const flagConversion: Conversion = {
  toGraph: (storedValue) => storedValue !== 0,
  toStored: (input) => Number(input),
  expected: 'true or false',
  sql: (column) => expression`(${column} <> 0)`,
  type: 'boolean',
  filter: 'flag',
};

/** Declares a Boolean that is stored as a number. 0 is false, and all other numbers are true. */
export const flagInNumber = (description: string, options: Options = {}): FieldDecorator<number | null> =>
  declare('num', () => Boolean, description, { ...options, conversion: flagConversion });

const integerPattern = /^-?[0-9]{1,10}(\.0+)?$/;

const integerTextConversion: Conversion = {
  toGraph: (storedValue) => (integerPattern.test(String(storedValue)) ? integerConversion.toGraph(Number(storedValue)) : null),
  toStored: String,
  expected: integerConversion.expected,
  // The `case` expressions are nested, because PostgreSQL may evaluate the operands of `and` in any order.
  sql: (column) =>
    expression`(case when ${column} ~ '${constantSql(integerPattern.source)}' then case when ${column}::numeric ${integerRange} then ${column}::numeric end end)`,
  type: 'numeric',
  isOrder: true,
  filter: 'int',
};

/** Declares a 32-bit integer that is stored as text. Any other text is returned as null. */
export const integerInText = (description: string, options: Options = {}): FieldDecorator<string | null> =>
  declare('text', () => Int, description, { ...options, conversion: integerTextConversion });

const decimalPattern = /^[+-]?[0-9]{1,30}(\.[0-9]{1,20})?$/;

const decimalTextConversion: Conversion = {
  toGraph: (storedValue) => (decimalPattern.test(String(storedValue)) ? normalizeDecimal(storedValue) : null),
  toStored: identity,
  expected: 'an amount',
  sql: (column) => expression`(case when ${column} ~ '${constantSql(decimalPattern.source)}' then ${column}::numeric end)`,
  type: 'numeric',
  isOrder: true,
  filter: 'money',
};

/** Declares an exact decimal that is stored as text. Any other text is returned as null. */
export const moneyInText = (description: string, options: Options = {}): FieldDecorator<string | null> =>
  declare('text', () => Money, description, { ...options, conversion: decimalTextConversion });

const dayConversion: Conversion = {
  toGraph: (storedValue) => String(storedValue).slice(0, 10),
  toStored: (input) => (String(input).length === 10 ? `${String(input)}T00:00:00Z` : input),
  expected: 'a day',
  sql: (column) => expression`((${column} at time zone 'UTC')::date)`,
  type: 'date',
  filter: 'day',
};

/** Declares a date that is stored as an instant of that day in UTC. */
export const day = (description: string, options: Options = {}): FieldDecorator<string | null> =>
  declare('instant', () => Day, description, { ...options, conversion: dayConversion });

const localTimeConversion: Conversion = {
  isLossless: true,
  toGraph: (storedValue) => String(storedValue).slice(0, -1),
  toStored: (input) => (String(input).endsWith('Z') ? input : `${String(input)}Z`),
  expected: 'a local time',
  sql: (column) => expression`(${column} at time zone 'UTC')`,
  type: 'timestamp',
  filter: 'local',
};

/** Declares a local time without a time zone. It is stored as if it were UTC. */
export const localTime = (description: string, options: Options = {}): FieldDecorator<string | null> =>
  declare('instant', () => LocalDateTime, description, { ...options, conversion: localTimeConversion });
