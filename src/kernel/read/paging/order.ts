import { registerEnumType } from 'type-graphql';
import { reject } from '../../declare/errors.js';
import {
  allOf,
  alwaysFalse,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  mainRow,
  parameter,
  type RowReference,
  SqlExpression,
} from '../../declare/expression.js';
import { GeneratedType } from '../../declare/fields/generated.js';
import type { OrderBy } from '../../declare/fields/options.js';
import { memoize } from '../../declare/memoize.js';
import {
  type Column,
  canBeFilterable,
  columnOf,
  columnsOf,
  columnTypes,
  type FieldMeta,
  filterPoliciesOf,
  isLongText,
  metaOf,
  type RecordClass,
} from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { guard, permittedCallers } from '../../declare/policy/policy.js';
import { creationTimeKey, optionsOf } from '../../declare/record.js';
import { formatInteger, toWords } from '../../declare/scalars/words.js';
import type { FilterConditions } from '../conditions/filter.js';
import { isInNames, nameTableRow } from '../conditions/name-table.js';

/** Maximum number of rows in a list that may be sorted without an index. */
export const sortLimit = { rows: 10_000 };

/** Returns the direction of an index that starts with a column and has its nulls last. Null if there is no such index. */
export function indexDirection(cls: RecordClass, { column, field }: Column): 'ASC' | 'DESC' | null {
  if (field.conversion?.isOrder || field.nullSortsAs !== undefined || field.kind === 'list') return null;
  if (field.kind === 'id' || field.unique) return 'ASC';
  const indexes = Object.values(optionsOf(cls).indexes ?? {});
  if (indexes.some((index) => index.startsWith(`(${column} desc nulls last, id)`))) return 'DESC';
  if (indexes.some((index) => index.startsWith(`(${column}, id)`))) return 'ASC';
  if (!field.index) return null;
  return field.kind === 'instant' ? 'DESC' : 'ASC';
}

export const Direction = { ASC: 'ASC', DESC: 'DESC' } as const;
registerEnumType(Direction, {
  name: 'Direction',
  description:
    'Sort direction. Names and other texts are sorted by the Unicode root collation. Unset values come last in both directions, unless the field states otherwise.',
  valuesConfig: {
    ASC: { description: 'Smallest or earliest first.' },
    DESC: { description: 'Largest or latest first.' },
  },
});

/** Key of the sort field for the distance, which is not a column. */
export const distanceKey = 'distance';

/** Note for the description of sortable fields without an index. */
const unindexedNote = 'Sorting can be slow.';

const isSortable = ({ field }: Column): boolean =>
  !field.secret &&
  !field.legacyOnlyName &&
  canBeFilterable(field) &&
  !field.isVersion &&
  field.kind !== 'json' &&
  field.kind !== 'list' &&
  !isLongText(field);

const joinSentences = (...texts: (string | false | undefined)[]): string => texts.filter(Boolean).join(' ');

/**
 * Returns the enumeration of a record's sortable fields. The descriptions of its values mention only permissions and limits, because the
 * record describes the fields.
 */
function orderFieldOf(cls: RecordClass): GeneratedType {
  const { hasRowCount, many, orders: computedOrders = {}, location } = optionsOf(cls);
  const limitOf = (column: Column) => hasRowCount && !indexDirection(cls, column) && unindexedNote;
  const enumValueOf = (column: Column) => {
    const policies = filterPoliciesOf(column.field);
    const callers = policies && `For: ${permittedCallers(policies)}`;
    const description = joinSentences(limitOf(column), callers);
    const meaning = joinSentences(column.field.description, limitOf(column), callers);
    return [column.column.toUpperCase(), { value: column.key, description, meaning }] as const;
  };
  return new GeneratedType(`${cls.name}OrderField`, {
    kind: 'enum',
    description: `Fields to sort ${toWords(many)} by.${hasRowCount ? ` Sorting by a field without an index is limited to ${formatInteger(sortLimit.rows)} matching items.` : ''}`,
    values: {
      ...Object.fromEntries([...columnsOf(metaOf(cls)).values()].filter(isSortable).map(enumValueOf)),
      ...Object.fromEntries(
        Object.entries(computedOrders).map(([name, { description }]) => [
          name,
          { value: name, description: joinSentences(description, hasRowCount && unindexedNote) },
        ]),
      ),
      ...(location && { DISTANCE: { value: distanceKey, description: 'Distance from the center of the filter `near`.' } }),
    },
  });
}

/** Returns the input type for the order of a record. It has a field and a direction. */
export const orderInputOf: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const fields = orderFieldOf(cls);
  const input = new GeneratedType(`${cls.name}Order`, {
    kind: 'input',
    description: `Sort order of ${toWords(optionsOf(cls).many)}.`,
    fields: () => ({
      field: { type: () => fields, isRequired: true, meaning: 'Field to sort by.' },
      direction: { type: () => Direction, isRequired: true, defaultValue: 'ASC', meaning: 'Sort direction.' },
    }),
  });
  return input;
});

/** Sort key of a list. The last sort key of every list is the ID. */
export interface OrderKey {
  sql: SqlExpression;
  /** Equivalent expression on the name table, if that table has the column. */
  nameTableSql?: SqlExpression | undefined;
  sqlType: string;
  isDescending: boolean;
  /** Whether nulls come first, because the list is read backward. */
  hasNullsFirst?: true;
  /** Whether the value is never null. */
  isNonNull?: boolean;
  /** Direction of the index that starts with the key. */
  indexDirection?: 'ASC' | 'DESC' | null;
  /** Whether the key is the relevance of a row for a filter, such as `search`. */
  isRank?: true;
  /** Whether the position of nulls is reversed to match the index. This is possible because the branch contains no nulls. */
  isReversed?: true;
  /** Whether the key has the same value in all rows of the branch. */
  isConstant?: true;
  /**
   * Returns the expression for the current position of a cursor's row, given the ID of the row. Returns `fallback` if the row is no longer
   * in the list. Positions are unique.
   */
  currentPosition?: (id: SqlExpression, fallback: SqlExpression) => SqlExpression;
}

/** Unicode root collation. `Äpfel` sorts before `Zebra`, and `apple` before `Banana`. */
const rootCollation = constantSql('collate "unicode"');

/** Whether a text column is sorted by `rootCollation`. IDs, codes and indexed texts are sorted by code point. */
const isName = ({ kind, comparison, unique, index }: FieldMeta): boolean =>
  kind === 'text' && comparison !== 'exact' && !unique && !index;

/** Maximum number of fields to order by. */
const maxKeys = 10;

/** Throws if an order has more than `maxKeys` fields, or fields that the caller may not sort by. */
export function checkOrder(caller: Caller, cls: RecordClass, orderBy: readonly OrderBy[] | null | undefined): void {
  if (orderBy && orderBy.length > maxKeys) reject('orderBy', `at most ${maxKeys} fields`);
  for (const [index, { field }] of (orderBy ?? []).entries()) {
    const column = columnsOf(metaOf(cls)).get(field);
    const policies = column && filterPoliciesOf(column.field);
    if (policies) guard(policies, caller, undefined, `orderBy[${index}].field`);
  }
}

/**
 * Returns the sort key for the position in a list of IDs. If the row of a cursor is no longer in the list, its former position is used.
 * This is now the position of the next row.
 */
const positionKey = (ids: SqlExpression): OrderKey => ({
  sql: constantSql('i.place::int'),
  sqlType: 'int',
  isDescending: false,
  currentPosition: (id, fallback) => expression`coalesce((select array_position(${ids}, ${id}::text)), ${fallback})`,
});

/**
 * Returns the sort keys of a list. Without `orderBy`, these are the ranks of the filter, followed by the order of `ids` or the default
 * order. The last key is the ID. If few rows match, `coalesce(x, x)` prevents PostgreSQL from scanning an index in sort order.
 */
export function sortKeysOf(
  cls: RecordClass,
  orderBy: readonly OrderBy[] | null | undefined,
  { ranks, isSelective, distance }: Pick<FilterConditions, 'ranks' | 'isSelective' | 'distance'>,
  ids: SqlExpression | undefined,
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
      const sql = distance ?? reject(`orderBy[${index}].field`, 'a field other than DISTANCE, which requires the filter `near`');
      keys.push({ sql, sqlType: 'float8', isDescending: direction === 'DESC', isNonNull: true });
      continue;
    }
    const computedOrder = optionsOf(cls).orders?.[field];
    if (computedOrder) {
      keys.push({ sql: computedOrder.sql(mainRow), sqlType: 'timestamptz', isDescending: direction === 'DESC' });
      continue;
    }
    const orderColumn = columnOf(meta, field);
    const { column, field: orderField } = orderColumn;
    const { conversion } = orderField;
    const build = (row: RowReference): SqlExpression => {
      const columnSql = row.column(column);
      const value = isName(orderField) ? expression`${columnSql} ${rootCollation}` : columnSql;
      const sortValue = conversion?.isOrder ? conversion.sql(columnSql, row) : value;
      const { nullSortsAs } = orderField;
      const name = nullSortsAs === undefined ? sortValue : expression`coalesce(${sortValue}, ${constantSql(nullSortsAs)})`;
      return isSelective ? expression`coalesce(${name}, ${name})` : name;
    };
    keys.push({
      sql: build(mainRow),
      nameTableSql: isInNames(cls, column) ? build(nameTableRow) : undefined,
      sqlType: conversion?.isOrder ? conversion.type : columnTypes[orderField.kind],
      isDescending: direction === 'DESC',
      indexDirection: isSelective ? null : indexDirection(cls, orderColumn),
      isNonNull: (orderField.required && !conversion?.isOrder) || orderField.nullSortsAs !== undefined,
    });
  }
  const nameTableSql = isInNames(cls, 'id') ? nameTableRow.column('id') : undefined;
  keys.push({ sql: mainRow.column('id'), nameTableSql, sqlType: 'text', isDescending: false, isNonNull: true });
  return keys;
}

/** Returns the sort keys for reading a list backward. */
export const reverseKeys = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, isDescending: !key.isDescending, hasNullsFirst: true }));

/** Returns the SQL of an `order by` clause. */
export const orderSql = (keys: readonly OrderKey[]): SqlExpression =>
  joinExpressions(
    keys.map(({ sql, isDescending, hasNullsFirst, isReversed }) => {
      const direction = isDescending ? 'desc' : 'asc';
      return new SqlExpression(
        ['', ` ${direction} nulls ${Boolean(hasNullsFirst) !== Boolean(isReversed) ? 'first' : 'last'}`],
        [sql],
      );
    }),
    ', ',
  );

/**
 * Returns conditions for rows after or before the row with these key values. A row matches if it meets any of the conditions. Each
 * condition covers a contiguous range of an index that starts with the first key.
 */
export function keysetCondition(keys: readonly OrderKey[], values: readonly unknown[], end: 'after' | 'before'): SqlExpression[] {
  const isAfter = end === 'after';
  const [first] = keys;
  const value = values[0] ?? null;
  if (!first || first.currentPosition) return [keysetRange(keys, values, end)];
  // Nulls come last.
  const { sql, sqlType, isDescending, isNonNull } = first;
  if (value === null) return [keysetRange(keys, values, end), ...(isAfter ? [] : [expression`${sql} is not null`])];
  const operator = constantSql(isDescending === isAfter ? '<=' : '>=');
  const bound = expression`${sql} ${operator} ${parameter(value)}::${constantSql(sqlType)}`;
  return [
    expression`(${bound} and ${keysetRange(keys, values, end)})`,
    ...(isAfter && !isNonNull ? [expression`${sql} is null`] : []),
  ];
}

/**
 * Returns the condition for rows after or before the row with these key values. If the first value is null, the condition covers only rows
 * whose first key is null. Otherwise, it covers only rows whose first key is not null.
 */
function keysetRange(keys: readonly OrderKey[], values: readonly unknown[], end: 'after' | 'before'): SqlExpression {
  const isAfter = end === 'after';
  const alternatives: SqlExpression[] = [];
  const equalities: SqlExpression[] = [];
  for (const [index, { sql, sqlType, isDescending, isNonNull, currentPosition }] of keys.entries()) {
    const value = values[index] ?? null;
    if (value === null) {
      // Nulls come last, so all other values are before them.
      if (!isAfter && index > 0) alternatives.push(allOf([...equalities, expression`${sql} is not null`]));
      equalities.push(expression`${sql} is null`);
      continue;
    }
    const keyValue = expression`${parameter(value)}::${constantSql(sqlType)}`;
    const bound = currentPosition
      ? currentPosition(parameter(values.at(-1)), isAfter ? expression`${keyValue} - 1` : keyValue)
      : keyValue;
    const isBeyond = expression`${sql} ${constantSql(isDescending === isAfter ? '<' : '>')} ${bound}`;
    const hasNulls = !isNonNull && index > 0 && isAfter;
    alternatives.push(allOf([...equalities, expression`(${hasNulls ? expression`${isBeyond} or ${sql} is null` : isBeyond})`]));
    if (currentPosition) break;
    equalities.push(expression`${sql} = ${bound}`);
  }
  return alternatives.length ? expression`(${anyOf(alternatives)})` : alwaysFalse;
}

/** Returns the name of the result column that contains a sort key. */
export const keyColumn = (index: number): string => `#${index}`;
