import type { FieldKind, FieldMeta } from '../../kernel/declare/meta.js';
import { formatInteger } from '../../kernel/declare/scalars/words.js';

/** Type of a column in exported and imported files. */
export type ColumnType = 'text' | 'boolean' | 'integer' | 'number' | 'decimal' | 'timestamp' | 'json' | 'list' | 'enumeration';

const types: Readonly<Record<Exclude<FieldKind, 'group'>, ColumnType>> = {
  id: 'text',
  text: 'text',
  ref: 'text',
  values: 'enumeration',
  flag: 'boolean',
  int: 'integer',
  num: 'number',
  money: 'decimal',
  instant: 'timestamp',
  json: 'json',
  list: 'list',
};

/** Descriptions of the types, for the data dictionary. */
export const typeDescriptions: Readonly<Record<ColumnType, string>> = {
  text: 'A string. IDs can also be integers, which are stored as text.',
  boolean: '`true` or `false`.',
  integer: 'A 32-bit integer.',
  number: 'A double-precision floating-point number.',
  decimal: 'An exact decimal number, as a string such as `"12.50"`, with at most 30 digits before and 20 after the point.',
  timestamp:
    'A point in time in ISO 8601 with an offset, such as `"2026-03-01T09:30:00.25Z"`. At most six fractional digits are stored. A day such as `"2026-03-01"` is midnight UTC. `/v1` and the graph return UTC.',
  json: 'Any JSON value with at most 100 nesting levels. In CSV, JSON text.',
  list: 'An array of strings. In CSV, JSON text such as `["a","b"]`.',
  enumeration: 'One of the listed strings.',
};

export function columnTypeOf({ kind }: FieldMeta): ColumnType {
  if (kind === 'group') throw new Error('a field group cannot be used as a column');
  return types[kind];
}

/** Returns the default of a column in words. Null if the default is null. */
export function defaultOf({ default: sql }: FieldMeta): string | null {
  if (sql === null) return null;
  if (sql === "'[]'" || sql === "'{}'") return '`[]`';
  if (sql === 'clock_timestamp()') return 'the time of the import';
  if (sql.includes('(')) return 'random text';
  return `\`${sql.replaceAll("'", '')}\``;
}

/** Returns the limits and the format of a column, as noun phrases. */
export function columnLimitsOf({ kind, max, format, range, maxItems, isUpperCase, conversion }: FieldMeta): string[] {
  const isText = kind === 'text' || kind === 'id' || kind === 'ref' || kind === 'list';
  const characters = `${formatInteger(max)} characters`;
  return [
    ...(format ? [format.expected] : []),
    ...(maxItems ? [`at most ${maxItems.join(' ')}`] : []),
    ...(kind === 'id'
      ? [`1 to ${characters}`]
      : isText
        ? [`at most ${characters}${kind === 'list' ? ' for each item' : ''}`]
        : []),
    ...(range ? [`from ${range[0]} to ${range[1]}`] : []),
    ...(isUpperCase ? ['stored in upper case'] : []),
    ...(conversion?.filter === 'day' ? ['usually midnight UTC, because the graph returns only the day'] : []),
    ...(conversion?.filter === 'local' ? ['a local time, written as if it were UTC'] : []),
    ...(conversion?.filter === 'flag' ? ['0 for false, 1 for true'] : []),
  ];
}

/** Returns the stored values that correspond to an enumeration of the graph. Null for other columns. */
export function knownValuesOf({ kind, values, conversion }: FieldMeta): string[] | null {
  if (kind === 'values' || !values || !conversion) return null;
  return Object.keys(values).flatMap((value) => {
    const storedValue = conversion.toStored(value);
    return storedValue === undefined ? [] : [String(storedValue)];
  });
}
