import { Int } from 'type-graphql';
import { constantSql, expression, type SqlExpression } from '../expression.js';
import type { Conversion } from '../meta.js';
import { declare, type FieldDecorator } from './fields.js';

// UTC offsets. Platforms send numbers of hours, minutes or seconds, or strings such as `-06:00`. The graph shows seconds.

/** Maximum UTC offset of any time zone, in hours. */
const maxHours = 14;
const clockPattern = /^[+-]?[0-9]{1,2}:[0-5][0-9]$/;
const numberPattern = /^[+-]?[0-9]{1,6}(\.[0-9]{1,6})?$/;

/** Converts an offset to seconds. Its absolute value determines the unit, because no time zone has an offset of 1 to 14 minutes. */
function toSeconds(offset: number): number | null {
  const size = Math.abs(offset);
  const unit = size <= maxHours ? 3600 : size <= maxHours * 60 ? 60 : size <= maxHours * 3600 ? 1 : null;
  return unit && Math.round(offset * unit) + 0;
}

function parseOffset(storedValue: unknown): number | null {
  const text = String(storedValue);
  if (numberPattern.test(text)) return toSeconds(Number(text));
  if (!clockPattern.test(text)) return null;
  const [hours = '', minutes = ''] = text.split(':');
  return (text.startsWith('-') ? -1 : 1) * (Math.abs(Number(hours)) * 3600 + Number(minutes) * 60) + 0;
}

const [hours, minutes, seconds] = [constantSql(maxHours), constantSql(maxHours * 60), constantSql(maxHours * 3600)];

const secondsSql = (number: SqlExpression): SqlExpression =>
  expression`round(case when abs(${number}) <= ${hours} then ${number} * 3600 when abs(${number}) <= ${minutes} then ${number} * 60 when abs(${number}) <= ${seconds} then ${number} end)`;

const clockSql = (text: SqlExpression): SqlExpression =>
  expression`(case when ${text} like '-%' then -1 else 1 end) * (abs(split_part(${text}, ':', 1)::int) * 3600 + split_part(${text}, ':', 2)::int * 60)`;

const offsetConversion = (sql: Conversion['sql'], toStored: Conversion['toStored'], type: string): Conversion => ({
  toGraph: parseOffset,
  toStored,
  expected: 'a 32-bit integer',
  sql,
  type,
  isOrder: true,
  filter: 'int',
});

const textConversion = offsetConversion(
  (column) =>
    expression`(case when ${column} ~ '${constantSql(numberPattern.source)}' then ${secondsSql(expression`${column}::numeric`)} when ${column} ~ '${constantSql(clockPattern.source)}' then ${clockSql(column)} end)`,
  String,
  'numeric',
);

const numberConversion = offsetConversion(
  (column) => expression`(${secondsSql(column)})`,
  (value) => value,
  'float8',
);

/** Declares a UTC offset that is stored as text. */
export const offsetInText = (description: string): FieldDecorator<string | null> =>
  declare('text', () => Int, description, { conversion: textConversion });

/** Declares a UTC offset that is stored as a number. */
export const offsetInNumber = (description: string): FieldDecorator<number | null> =>
  declare('num', () => Int, description, { conversion: numberConversion });
