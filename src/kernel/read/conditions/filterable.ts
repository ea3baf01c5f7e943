import { legacyFieldOf } from '../../declare/fields/legacy-fields.js';
import {
  type Column,
  canBeFilterable,
  columnsOf,
  isLongText,
  metaOf,
  type RecordClass,
  type RecordMeta,
} from '../../declare/meta.js';
import { camelCaseKey } from '../../declare/scalars/words.js';
import { type PolymorphicRelation, polymorphicRelationsOf } from '../relations/polymorphic.js';
import { type FilterRelation, filterRelationsOf } from './filter-relations.js';

const filterableColumns = (meta: RecordMeta) =>
  [...columnsOf(meta).values()].filter(
    ({ field }) => !field.secret && canBeFilterable(field) && !field.isVersion && field.kind !== 'json' && !isLongText(field),
  );

/**
 * Returns the columns in the filter `legacy`, keyed by field name. Excludes columns that store the name of a related record, because the
 * regular filters for these columns already compare the stored text.
 */
const filterableInLegacy = (columns: readonly Column[]): [string, Column][] =>
  columns.flatMap((column): [string, Column][] => {
    const { key, field } = column;
    const legacyField = field.conversion || field.legacyOnlyName ? legacyFieldOf(field) : null;
    return legacyField ? [[camelCaseKey(key.replace(/[^.]+$/, legacyField.name)), { ...column, field: legacyField }]] : [];
  });

/** Filterable columns and relations of a record, keyed by filter field. The field for the column `location.city` is `locationCity`. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns in the filter `legacy`. */
  readonly legacy: ReadonlyMap<string, Column>;
  readonly relations: ReadonlyMap<string, FilterRelation>;
  readonly polymorphicRelations: ReadonlyMap<string, PolymorphicRelation>;
}

const filterableByRecord = new Map<RecordClass, Filterable>();

/** Returns the filterable columns and relations of a record. */
export function filterableOf(cls: RecordClass): Filterable {
  const cached = filterableByRecord.get(cls);
  if (cached) return cached;
  const allColumns = filterableColumns(metaOf(cls));
  const columns = new Map(
    allColumns.flatMap((column) => (column.field.legacyOnlyName ? [] : [[camelCaseKey(column.key), column] as const])),
  );
  const legacy = new Map(filterableInLegacy(allColumns));
  const filterable = { columns, legacy, relations: filterRelationsOf(cls), polymorphicRelations: polymorphicRelationsOf(cls) };
  filterableByRecord.set(cls, filterable);
  return filterable;
}

export type FilterInput = Record<string, unknown>;
export const isFilterInput = (value: unknown): value is FilterInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the columns that a filter has conditions on, including columns of related records. Excludes `legacy`. */
export function* filterColumns(cls: RecordClass, filter: FilterInput): Iterable<{ meta: RecordMeta; column: Column }> {
  const { columns, relations, polymorphicRelations } = filterableOf(cls);
  for (const [key, value] of Object.entries(filter)) {
    const column = columns.get(key);
    const relation = relations.get(key);
    const polymorphic = polymorphicRelations.get(key);
    if (key === 'and' || key === 'or' || key === 'not') {
      for (const part of [value].flat()) if (isFilterInput(part)) yield* filterColumns(cls, part);
    } else if (column) yield { meta: metaOf(cls), column };
    else if (polymorphic && isFilterInput(value)) {
      for (const [name, { target }] of polymorphic.relations)
        if (isFilterInput(value[name])) yield* filterColumns(target, value[name]);
    } else if (relation && isFilterInput(value))
      for (const part of relation.isList ? [value.some, value.none] : [value])
        if (isFilterInput(part)) yield* filterColumns(relation.target, part);
  }
}
