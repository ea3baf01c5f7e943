import { Int } from 'type-graphql';
import { declare, type On } from './fields.js';
import type { Shown } from './meta.js';

// UTC offsets. Platforms send hours, minutes or seconds, as numbers, or texts such as -06:00. The graph shows seconds.

/** Maximum UTC offset of any time zone, in hours. */
const most = 14;
const clock = /^[+-]?[0-9]{1,2}:[0-5][0-9]$/;
const numeral = /^[+-]?[0-9]{1,6}(\.[0-9]{1,6})?$/;

/** Converts an offset to seconds. Its size implies the unit, because no time zone has an offset of less than 15 minutes other than 0. */
function seconds(offset: number): number | null {
  const size = Math.abs(offset);
  const unit = size <= most ? 3600 : size <= most * 60 ? 60 : size <= most * 3600 ? 1 : null;
  return unit && Math.round(offset * unit) + 0;
}

function secondsOf(kept: unknown): number | null {
  const text = String(kept);
  if (numeral.test(text)) return seconds(Number(text));
  if (!clock.test(text)) return null;
  const [hours = '', minutes = ''] = text.split(':');
  return (text.startsWith('-') ? -1 : 1) * (Math.abs(Number(hours)) * 3600 + Number(minutes) * 60) + 0;
}

const secondsSql = (number: string): string =>
  `round(case when abs(${number}) <= ${most} then ${number} * 3600 when abs(${number}) <= ${most * 60} then ${number} * 60 when abs(${number}) <= ${most * 3600} then ${number} end)`;

const clockSql = (text: string): string =>
  `(case when ${text} like '-%' then -1 else 1 end) * (abs(split_part(${text}, ':', 1)::int) * 3600 + split_part(${text}, ':', 2)::int * 60)`;

const offset = (sql: Shown['sql'], keep: Shown['keep'], type: string): Shown => ({
  show: secondsOf,
  keep,
  expected: 'an integer of 32 bits',
  sql,
  type,
  isOrder: true,
  filter: 'int',
});

const inText = offset(
  (column) =>
    `(case when ${column} ~ '${numeral.source}' then ${secondsSql(`${column}::numeric`)} when ${column} ~ '${clock.source}' then ${clockSql(column)} end)`,
  String,
  'numeric',
);

const inNumber = offset(
  (column) => `(${secondsSql(column)})`,
  (given) => given,
  'float8',
);

/** UTC offset, stored as text. */
export const offsetInText = (description: string): On<string | null> => {
  return (target, key) => declare('text', () => Int, description, { shown: inText })(target, key);
};

/** UTC offset, stored as a number. */
export const offsetInNumber = (description: string): On<number | null> => {
  return (target, key) => declare('num', () => Int, description, { shown: inNumber })(target, key);
};
