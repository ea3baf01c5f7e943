import { registerEnumType } from 'type-graphql';
import { reject } from '../../declare/errors.js';
import { GeneratedType } from '../../declare/fields/generated.js';
import type { OrderBy } from '../../declare/fields/options.js';
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
} from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { guard, permittedCallers } from '../../declare/policy/policy.js';
import { creationTimeKey, optionsOf } from '../../declare/record.js';
import { formatInteger, toWords } from '../../declare/scalars/words.js';
import { writeTime } from '../../facts.js';
import type { Param } from '../../session.js';
import type { Where } from '../conditions/filter.js';
import { isInNames, nameAlias } from '../conditions/name-table.js';
import { indexDirection, sortLimit as limits } from './sort-index.js';

/** Directions of an order. */
export const Direction = { ASC: 'ASC', DESC: 'DESC' } as const;
registerEnumType(Direction, {
  name: 'Direction',
  description:
    'Sort direction. Names and other texts sort by the root collation of Unicode. Unset values come last in both directions, unless the field states otherwise.',
  valuesConfig: {
    ASC: { description: 'Smallest or earliest first.' },
    DESC: { description: 'Largest or latest first.' },
  },
});

/** Key of the distance, which is not a column. */
export const distanceKey = 'distance';

/** Note in the description of order values without an index. */
const unindexed = 'Not indexed, so sorting by it can be slow.';

const isSortable = ({ field }: Column): boolean =>
  !field.secret &&
  !field.legacyOnlyName &&
  canBeFilterable(field) &&
  !field.isVersion &&
  field.kind !== 'json' &&
  field.kind !== 'list' &&
  !isProse(field);

const sentences = (...texts: (string | false | undefined)[]): string => texts.filter(Boolean).join(' ');

/** Enumeration of the sortable fields of a record. The values state only permissions and limits, because the record describes the fields. */
function orderFieldOf(cls: RecordClass): GeneratedType {
  const { hasRowCount, many, orders: computedOrders = {}, location } = optionsOf(cls);
  const limitOf = (column: Column) => hasRowCount && !indexDirection(cls, column) && unindexed;
  const enumValueOf = (column: Column) => {
    const policies = filterPoliciesOf(column.field);
    const callers = policies && `For: ${permittedCallers(policies)}`;
    const description = sentences(limitOf(column), callers);
    const meaning = sentences(column.field.description, limitOf(column), callers);
    return [column.column.toUpperCase(), { value: column.key, description, meaning }] as const;
  };
  return new GeneratedType(`${cls.name}OrderField`, {
    kind: 'enum',
    description: `Fields by which ${toWords(many)} can be sorted.${hasRowCount ? ` Fields that are not indexed can sort lists of at most ${formatInteger(limits.rows)} matching items.` : ''}`,
    values: {
      ...Object.fromEntries([...columnsOf(metaOf(cls)).values()].filter(isSortable).map(enumValueOf)),
      ...Object.fromEntries(
        Object.entries(computedOrders).map(([name, { description }]) => [
          name,
          { value: name, description: sentences(description, hasRowCount && unindexed) },
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
  nameTableSql?: string | undefined;
  sqlType: string;
  isDescending: boolean;
  /** Nulls come first, because the list is read backward. */
  hasNullsFirst?: true;
  /** Never null. */
  isNonNull?: boolean;
  /** Direction of its index. */
  indexDirection?: 'ASC' | 'DESC' | null;
  /** The rank of a filter, such as `search`. */
  isRank?: true;
  /** The position of nulls does not matter, so that the scan can follow the index. */
  isReversed?: true;
  /** Has the same value in all rows. */
  isConstant?: true;
  /** SQL of the current position of a cursor's row, from the placeholders of its ID and its former position. Positions are unique. */
  currentPosition?: (id: string, fallback: string) => string;
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
    const policies = column && filterPoliciesOf(column.field);
    if (policies) guard(policies, caller, undefined, `orderBy[${index}].field`);
  }
}

/**
 * Sort key: the position in a list of IDs. If the row of a cursor is no longer in the list, its former position is used, because the next row
 * has moved up to it.
 */
const positionKey = (ids: string): OrderKey => ({
  sql: 'i.place::int',
  sqlType: 'int',
  isDescending: false,
  currentPosition: (id, fallback) => `coalesce((select array_position(${ids}, ${id}::text)), ${fallback})`,
});

/**
 * Sort keys of a list. With `orderBy`: its fields. Otherwise: the ranks of the filter, then the order of `ids` or the default order. The last key is
 * the ID. `coalesce(x, x)` keeps PostgreSQL from scanning an index in that order if few rows match.
 */
export function keysOf(
  cls: RecordClass,
  orderBy: readonly OrderBy[] | null | undefined,
  { ranks, isSelective, distance }: Pick<Where, 'ranks' | 'isSelective' | 'distance'>,
  ids: string | undefined,
  param: Param,
): OrderKey[] {
  const meta = metaOf(cls);
  const defaultOrder = () => optionsOf(cls).order ?? [{ field: creationTimeKey(cls), direction: 'DESC' as const }];
  const fields = orderBy?.length ? orderBy : ids ? [] : defaultOrder();
  const keys: OrderKey[] = orderBy?.length
    ? []
    : ranks.map((rank) => ({ ...rank(), sqlType: 'float8', isDescending: false, isRank: true, isNonNull: true }));
  if (ids && !orderBy?.length) keys.push(positionKey(ids));
  for (const [index, { field, direction }] of fields.entries()) {
    if (field === distanceKey && optionsOf(cls).location) {
      const sql = distance ?? reject(`orderBy[${index}].field`, 'DISTANCE only together with the filter `near`');
      keys.push({ sql, sqlType: 'float8', isDescending: direction === 'DESC', isNonNull: true });
      continue;
    }
    const computedOrder = optionsOf(cls).orders?.[field];
    if (computedOrder) {
      for (const table of computedOrder.readTables ?? []) param.table(table);
      keys.push({ sql: computedOrder.sql, sqlType: 'timestamptz', isDescending: direction === 'DESC' });
      continue;
    }
    const orderColumn = columnOf(meta, field);
    const { column, field: orderField } = orderColumn;
    const { conversion } = orderField;
    if (column === writeTime) param.dependOn(writeTime);
    const build = (row: string): string => {
      const value = isName(orderField) ? `${row}.${column} ${rootCollation}` : `${row}.${column}`;
      const sortValue = conversion?.isOrder ? conversion.sql(`${row}.${column}`) : value;
      const name = orderField.nullSortsAs === undefined ? sortValue : `coalesce(${sortValue}, ${orderField.nullSortsAs})`;
      return isSelective ? `coalesce(${name}, ${name})` : name;
    };
    keys.push({
      sql: build('r'),
      nameTableSql: isInNames(cls, column) ? build(nameAlias) : undefined,
      sqlType: conversion?.isOrder ? conversion.type : columnTypes[orderField.kind],
      isDescending: direction === 'DESC',
      indexDirection: isSelective ? null : indexDirection(cls, orderColumn),
      isNonNull: (orderField.required && !conversion?.isOrder) || orderField.nullSortsAs !== undefined,
    });
  }
  const nameTableSql = isInNames(cls, 'id') ? `${nameAlias}.id` : undefined;
  keys.push({ sql: 'r.id', nameTableSql, sqlType: 'text', isDescending: false, isNonNull: true });
  return keys;
}

/** Sort keys for reading a list backward. */
export const reverseKeys = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, isDescending: !key.isDescending, hasNullsFirst: true }));

/** SQL of an `order by` clause. */
export const orderSql = (keys: readonly OrderKey[]): string =>
  keys
    .map(
      ({ sql, isDescending, hasNullsFirst, isReversed }) =>
        `${sql} ${isDescending ? 'desc' : 'asc'} nulls ${Boolean(hasNullsFirst) !== Boolean(isReversed) ? 'first' : 'last'}`,
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
  const { sql, sqlType, isDescending, isNonNull } = first;
  if (value === null) return [keysetRange(keys, values, param, end), ...(isAfter ? [] : [`${sql} is not null`])];
  const bound = `${sql} ${isDescending === isAfter ? '<=' : '>='} ${param(value)}::${sqlType}`;
  return [`(${bound} and ${keysetRange(keys, values, param, end)})`, ...(isAfter && !isNonNull ? [`${sql} is null`] : [])];
}

/** Keyset condition for rows whose first key is null if and only if its value is null. */
function keysetRange(keys: readonly OrderKey[], values: readonly unknown[], param: Param, end: 'after' | 'before'): string {
  const isAfter = end === 'after';
  const options: string[] = [];
  const equalities: string[] = [];
  for (const [index, { sql, sqlType, isDescending, isNonNull, currentPosition }] of keys.entries()) {
    const value = values[index] ?? null;
    if (value === null) {
      // Null values come last, so all other values are before them.
      if (!isAfter && index > 0) options.push([...equalities, `${sql} is not null`].join(' and '));
      equalities.push(`${sql} is null`);
      continue;
    }
    const keyValue = `${param(value)}::${sqlType}`;
    const bound = currentPosition ? currentPosition(param(values.at(-1)), isAfter ? `${keyValue} - 1` : keyValue) : keyValue;
    const nulls = isNonNull || index === 0 || !isAfter ? '' : ` or ${sql} is null`;
    options.push([...equalities, `(${sql} ${isDescending === isAfter ? '<' : '>'} ${bound}${nulls})`].join(' and '));
    if (currentPosition) break;
    equalities.push(`${sql} = ${bound}`);
  }
  return options.length ? `(${options.join(' or ')})` : 'false';
}

/** Column name of a sort key in a result row. */
export const keyColumn = (index: number): string => `#${index}`;
