import { type Column, metaOf, type RecordClass, type RecordMeta } from '../../declare/meta.js';
import { filterableOf } from './filterable.js';

/** Input object of a filter. */
export type FilterInput = Record<string, unknown>;
export const isInput = (value: unknown): value is FilterInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the columns with conditions in a filter, including columns of related records. Excludes `legacy`. */
export function* filterColumns(cls: RecordClass, filter: FilterInput): Iterable<{ meta: RecordMeta; column: Column }> {
  const { columns, relations, polymorphicRelations } = filterableOf(cls);
  for (const [key, value] of Object.entries(filter)) {
    const column = columns.get(key);
    const relation = relations.get(key);
    const polymorphic = polymorphicRelations.get(key);
    if (key === 'and' || key === 'or' || key === 'not') {
      for (const part of [value].flat()) if (isInput(part)) yield* filterColumns(cls, part);
    } else if (column) yield { meta: metaOf(cls), column };
    else if (polymorphic && isInput(value)) {
      for (const [name, { target }] of polymorphic.relations) if (isInput(value[name])) yield* filterColumns(target, value[name]);
    } else if (relation && isInput(value))
      for (const part of relation.isList ? [value.some, value.none] : [value])
        if (isInput(part)) yield* filterColumns(relation.target, part);
  }
}
