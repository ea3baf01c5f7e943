import { registerEnumType } from 'type-graphql';
import type { Caller } from '../declare/caller.js';
import { reject } from '../declare/errors.js';
import { GeneratedType } from '../declare/generated.js';
import {
  type Column,
  canBeFilterable,
  columnOf,
  columnsOf,
  columnTypes,
  type FieldMeta,
  filterPoliciesOf,
  isProse,
  metaOf,
  type RecordClass,
} from '../declare/meta.js';
import type { OrderBy } from '../declare/options.js';
import { guard, permittedCallers } from '../declare/policy.js';
import { creationTimeKey, optionsOf } from '../declare/record.js';
import { formatInteger, toWords } from '../declare/words.js';
import { writeTime } from '../facts.js';
import type { Param } from '../session.js';
import type { Where } from './filter.js';
import { isInNames, nameAlias } from './name-table.js';
import { indexDirection, sortLimit as limits } from './sort-index.js';

/** Directions of an order. */
export const Direction = { ASC: 'ASC', DESC: 'DESC' } as const;
registerEnumType(Direction, {
  name: 'Direction',
  description:
    'Which way a list is ordered. Names and other texts sort by the root collation of Unicode. Unset values come last either way, unless the field says as what they count.',
  valuesConfig: {
    ASC: { description: 'From small to large, early to late.' },
    DESC: { description: 'From large to small, late to early.' },
  },
});

/** Key of the distance, which is not a column. */
export const distanceKey = 'distance';

/** Note in the description of order values without an index. */
const unindexed = 'Not indexed, so sorting by it can be slow.';

const isSortable = ({ field }: Column): boolean =>
  !field.secret &&
  !field.onlyInLegacy &&
  canBeFilterable(field) &&
  !field.isVersion &&
  field.kind !== 'json' &&
  field.kind !== 'list' &&
  !isProse(field);

const sentences = (...texts: (string | false | undefined)[]): string => texts.filter(Boolean).join(' ');

/** Enumeration of the sortable fields of a record. The values state only permissions and limits, because the record describes the fields. */
function orderFieldOf(cls: RecordClass): GeneratedType {
  const { counted, many, orders: computed = {}, location } = optionsOf(cls);
  const limitOf = (column: Column) => counted && !indexDirection(cls, column) && unindexed;
  const enumValueOf = (column: Column) => {
    const askers = filterPoliciesOf(column.field);
    const callers = askers && `For: ${permittedCallers(askers)}`;
    const description = sentences(limitOf(column), callers);
    const meaning = sentences(column.field.description, limitOf(column), callers);
    return [column.column.toUpperCase(), { value: column.key, description, meaning }] as const;
  };
  return new GeneratedType(`${cls.name}OrderField`, {
    kind: 'enum',
    description: `Fields by which ${toWords(many)} can be sorted.${counted ? ` Fields that are not indexed can sort lists of at most ${formatInteger(limits.rows)} matching items.` : ''}`,
    values: {
      ...Object.fromEntries([...columnsOf(metaOf(cls)).values()].filter(isSortable).map(enumValueOf)),
      ...Object.fromEntries(
        Object.entries(computed).map(([name, { description }]) => [
          name,
          { value: name, description: sentences(description, counted && unindexed) },
        ]),
      ),
      ...(location && { DISTANCE: { value: distanceKey, description: 'Distance from the location in the filter `near`.' } }),
    },
  });
}

const orders = new Map<RecordClass, GeneratedType>();

/** Order input of a record: a field and a direction. */
export function orderOf(cls: RecordClass): GeneratedType {
  const cached = orders.get(cls);
  if (cached) return cached;
  const fields = orderFieldOf(cls);
  const input = new GeneratedType(`${cls.name}Order`, {
    kind: 'input',
    description: `Sort order of ${toWords(optionsOf(cls).many)}.`,
    fields: () => ({
      field: { type: () => fields, isRequired: true, meaning: 'Field to order by.' },
      direction: { type: () => Direction, isRequired: true, defaultValue: 'ASC', meaning: 'Sort direction.' },
    }),
  });
  orders.set(cls, input);
  return input;
}

/** A sort key of a list. The last sort key is the ID. */
export interface OrderKey {
  sql: string;
  /** The same expression on the name table, if that has the column. */
  names?: string | undefined;
  cast: string;
  descending: boolean;
  /** Nulls come first, because the list is read backward. */
  nullsFirst?: true;
  /** Never null. */
  isSet?: boolean;
  /** Direction of its index. */
  indexed?: 'ASC' | 'DESC' | null;
  /** The rank of a filter, such as `search`. */
  isRank?: true;
  /** The position of nulls does not matter, so that the scan can follow the index. */
  isReversed?: true;
  /** Has the same value in all rows. */
  isConstant?: true;
  /** SQL of the current position of a cursor's row, from the placeholders of its ID and its former position. Positions are unique. */
  currentPosition?: (id: string, then: string) => string;
}

/** The root collation of Unicode in SQL: `Äpfel` sorts before `Zebra`, and `apple` before `Banana`. */
const rootCollation = 'collate "unicode"';

/** Whether a text sorts by `rootCollation`. IDs, codes and texts with an index sort by code point. */
const isName = ({ kind, comparison, unique, index }: FieldMeta): boolean =>
  kind === 'text' && comparison !== 'exact' && !unique && !index;

/** Maximum number of fields to order by. */
const maxKeys = 10;

/** Rejects an order by more than `maxKeys` fields, or by fields that the caller may not sort by. */
export function checkOrder(caller: Caller, cls: RecordClass, orderBy: readonly OrderBy[] | null | undefined): void {
  if (orderBy && orderBy.length > maxKeys) reject('orderBy', `at most ${maxKeys} fields`);
  for (const [index, { field }] of (orderBy ?? []).entries()) {
    const column = columnsOf(metaOf(cls)).get(field);
    const askers = column && filterPoliciesOf(column.field);
    if (askers) guard(askers, caller, undefined, `orderBy[${index}].field`);
  }
}

/**
 * Sort key: the position in a list of IDs. If the row of a cursor is no longer in the list, its former position is used, because the next row
 * has moved up to it.
 */
const positionKey = (ids: string): OrderKey => ({
  sql: 'i.place::int',
  cast: 'int',
  descending: false,
  currentPosition: (id, then) => `coalesce((select array_position(${ids}, ${id}::text)), ${then})`,
});

/**
 * Sort keys of a list. With `orderBy`: its fields. Otherwise: the ranks of the filter, then the order of `ids` or the default order. The last key is
 * the ID. `coalesce(x, x)` keeps PostgreSQL from scanning an index in that order if few rows match.
 */
export function keysOf(
  cls: RecordClass,
  orderBy: readonly OrderBy[] | null | undefined,
  { ranks, isFew, distance }: Pick<Where, 'ranks' | 'isFew' | 'distance'>,
  ids: string | undefined,
  param: Param,
): OrderKey[] {
  const meta = metaOf(cls);
  const defaultOrder = () => optionsOf(cls).order ?? [{ field: creationTimeKey(cls), direction: 'DESC' as const }];
  const fields = orderBy?.length ? orderBy : ids ? [] : defaultOrder();
  const keys: OrderKey[] = orderBy?.length
    ? []
    : ranks.map((rank) => ({ ...rank(), cast: 'float8', descending: false, isRank: true, isSet: true }));
  if (ids && !orderBy?.length) keys.push(positionKey(ids));
  for (const [index, { field, direction }] of fields.entries()) {
    if (field === distanceKey && optionsOf(cls).location) {
      const sql = distance ?? reject(`orderBy[${index}].field`, 'DISTANCE only where the filter has `near`');
      keys.push({ sql, cast: 'float8', descending: direction === 'DESC', isSet: true });
      continue;
    }
    const computed = optionsOf(cls).orders?.[field];
    if (computed) {
      for (const table of computed.reads ?? []) param.table(table);
      keys.push({ sql: computed.sql, cast: 'timestamptz', descending: direction === 'DESC' });
      continue;
    }
    const orderColumn = columnOf(meta, field);
    const { column, field: declared } = orderColumn;
    const { conversion } = declared;
    if (column === writeTime) param.dependOn(writeTime);
    const build = (row: string): string => {
      const value = isName(declared) ? `${row}.${column} ${rootCollation}` : `${row}.${column}`;
      const sortValue = conversion?.isOrder ? conversion.sql(`${row}.${column}`) : value;
      const name = declared.nullSortsAs === undefined ? sortValue : `coalesce(${sortValue}, ${declared.nullSortsAs})`;
      return isFew ? `coalesce(${name}, ${name})` : name;
    };
    keys.push({
      sql: build('r'),
      names: isInNames(cls, column) ? build(nameAlias) : undefined,
      cast: conversion?.isOrder ? conversion.type : columnTypes[declared.kind],
      descending: direction === 'DESC',
      indexed: isFew ? null : indexDirection(cls, orderColumn),
      isSet: (declared.required && !conversion?.isOrder) || declared.nullSortsAs !== undefined,
    });
  }
  const names = isInNames(cls, 'id') ? `${nameAlias}.id` : undefined;
  keys.push({ sql: 'r.id', names, cast: 'text', descending: false, isSet: true });
  return keys;
}

/** Sort keys for reading a list backward. */
export const reversed = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, descending: !key.descending, nullsFirst: true }));

/** SQL of an `order by` clause. */
export const orderSql = (keys: readonly OrderKey[]): string =>
  keys
    .map(
      ({ sql, descending, nullsFirst, isReversed }) =>
        `${sql} ${descending ? 'desc' : 'asc'} nulls ${Boolean(nullsFirst) !== Boolean(isReversed) ? 'first' : 'last'}`,
    )
    .join(', ');

/**
 * Keyset condition: rows after or before the row with these key values. Returns alternatives, each of them a contiguous range of an index that
 * starts with the first key.
 */
export function keysetCondition(
  keys: readonly OrderKey[],
  values: readonly unknown[],
  param: Param,
  end: 'after' | 'before',
): string[] {
  const isAfter = end === 'after';
  const [first] = keys;
  const value = values[0] ?? null;
  if (!first || first.currentPosition) return [keysetRange(keys, values, param, end)];
  // Null values come last.
  const { sql, cast, descending, isSet } = first;
  if (value === null) return [keysetRange(keys, values, param, end), ...(isAfter ? [] : [`${sql} is not null`])];
  const bound = `${sql} ${descending === isAfter ? '<=' : '>='} ${param(value)}::${cast}`;
  return [`(${bound} and ${keysetRange(keys, values, param, end)})`, ...(isAfter && !isSet ? [`${sql} is null`] : [])];
}

/** Keyset condition for rows whose first key is null if and only if its value is null. */
function keysetRange(keys: readonly OrderKey[], values: readonly unknown[], param: Param, end: 'after' | 'before'): string {
  const isAfter = end === 'after';
  const options: string[] = [];
  const equal: string[] = [];
  for (const [index, { sql, cast, descending, isSet, currentPosition }] of keys.entries()) {
    const value = values[index] ?? null;
    if (value === null) {
      // Null values come last, so all other values are before them.
      if (!isAfter && index > 0) options.push([...equal, `${sql} is not null`].join(' and '));
      equal.push(`${sql} is null`);
      continue;
    }
    const keyValue = `${param(value)}::${cast}`;
    const bound = currentPosition ? currentPosition(param(values.at(-1)), isAfter ? `${keyValue} - 1` : keyValue) : keyValue;
    const nulls = isSet || index === 0 || !isAfter ? '' : ` or ${sql} is null`;
    options.push([...equal, `(${sql} ${descending === isAfter ? '<' : '>'} ${bound}${nulls})`].join(' and '));
    if (currentPosition) break;
    equal.push(`${sql} = ${bound}`);
  }
  return options.length ? `(${options.join(' or ')})` : 'false';
}

/** Column name of a sort key in a result row. */
export const keyColumn = (index: number): string => `#${index}`;
