import { ID, Int } from 'type-graphql';
import { declare, type FieldDecorator } from './fields.js';
import type { Conversion, FieldMeta } from './meta.js';
import { Day, LocalDateTime, Money, normalizeDecimal } from './scalars.js';

// Fields that store values as platforms sent them, and show typed values in the graph.

type Options = Partial<Pick<FieldMeta, 'named' | 'private' | 'nullSortsAs' | 'readOnly'>>;

const [least, most] = [-(2 ** 31), 2 ** 31 - 1];
const isWhole = (value: number): boolean => Number.isInteger(value) && value >= least && value <= most;
const unchanged = (value: unknown): unknown => value;

const whole: Conversion = {
  toGraph: (kept) => (typeof kept === 'number' && isWhole(kept) ? kept : null),
  toStored: unchanged,
  expected: 'an integer of 32 bits',
  sql: (column) => `(case when ${column} = trunc(${column}) and ${column} between ${least} and ${most} then ${column} end)`,
  type: 'float8',
  filter: 'int',
};

/** An integer, stored as a float. Fractions and numbers of more than 32 bits are returned as null. */
export const wholeNumber = (description: string, options: Options = {}): FieldDecorator<number | null> => {
  return (target, key) => declare('num', () => Int, description, { ...options, conversion: whole })(target, key);
};

const numberedId: Conversion = {
  ...whole,
  toGraph: (kept) => whole.toGraph(kept)?.toString() ?? null,
  toStored: (given) => (/^-?[0-9]{1,10}$/.test(String(given)) && isWhole(Number(given)) ? Number(given) : undefined),
  expected: 'an id that is an integer of 32 bits',
  sql: (column) => `(${whole.sql(column)}::int::text)`,
  type: 'text',
  filter: 'id',
};

/** An ID, stored as a number. Numbers that are not 32-bit integers are returned as null. */
export const idInNumber = (description: string, options: Options = {}): FieldDecorator<number | null> => {
  return (target, key) => declare('num', () => ID, description, { ...options, conversion: numberedId })(target, key);
};

const numberedFlag: Conversion = {
  toGraph: (kept) => kept !== 0,
  toStored: (given) => Number(given),
  expected: 'true or false',
  sql: (column) => `(${column} <> 0)`,
  type: 'boolean',
  filter: 'flag',
};

/** A Boolean, stored as a number. 0 is false, all other numbers are true. */
export const flagInNumber = (description: string, options: Options = {}): FieldDecorator<number | null> => {
  return (target, key) => declare('num', () => Boolean, description, { ...options, conversion: numberedFlag })(target, key);
};

const wholeText = /^-?[0-9]{1,10}(\.0+)?$/;

const numeral: Conversion = {
  toGraph: (kept) => (wholeText.test(String(kept)) ? whole.toGraph(Number(kept)) : null),
  toStored: String,
  expected: whole.expected,
  // Nested, because PostgreSQL may evaluate the operands of `and` in any order.
  sql: (column) =>
    `(case when ${column} ~ '${wholeText.source}' then case when ${column}::numeric between ${least} and ${most} then ${column}::numeric end end)`,
  type: 'numeric',
  isOrder: true,
  filter: 'int',
};

/** An integer, stored as text. Any other text is returned as null. */
export const wholeInText = (description: string, options: Options = {}): FieldDecorator<string | null> => {
  return (target, key) => declare('text', () => Int, description, { ...options, conversion: numeral })(target, key);
};

const amountText = /^[+-]?[0-9]{1,30}(\.[0-9]{1,20})?$/;

const amount: Conversion = {
  toGraph: (kept) => (amountText.test(String(kept)) ? normalizeDecimal(kept) : null),
  toStored: unchanged,
  expected: 'an amount',
  sql: (column) => `(case when ${column} ~ '${amountText.source}' then ${column}::numeric end)`,
  type: 'numeric',
  isOrder: true,
  filter: 'money',
};

/** An exact decimal, stored as text. Any other text is returned as null. */
export const moneyInText = (description: string, options: Options = {}): FieldDecorator<string | null> => {
  return (target, key) => declare('text', () => Money, description, { ...options, conversion: amount })(target, key);
};

/** A date, stored as an instant of that day in UTC. */
export const day = (description: string, options: Options = {}): FieldDecorator<string | null> => {
  const conversion: Conversion = {
    toGraph: (kept) => String(kept).slice(0, 10),
    toStored: (given) => (String(given).length === 10 ? `${String(given)}T00:00:00Z` : given),
    expected: 'a day',
    sql: (column) => `((${column} at time zone 'UTC')::date)`,
    type: 'date',
    filter: 'day',
  };
  return (target, key) => declare('instant', () => Day, description, { ...options, conversion })(target, key);
};

/** A local time without a time zone, stored as if it were UTC. */
export const localTime = (description: string, options: Options = {}): FieldDecorator<string | null> => {
  const shown: Conversion = {
    isLossless: true,
    toGraph: (kept) => String(kept).slice(0, -1),
    toStored: (given) => (String(given).endsWith('Z') ? given : `${String(given)}Z`),
    expected: 'a local time',
    sql: (column) => `(${column} at time zone 'UTC')`,
    type: 'timestamp',
    filter: 'local',
  };
  return (target, key) => declare('instant', () => LocalDateTime, description, { ...options, conversion: shown })(target, key);
};
