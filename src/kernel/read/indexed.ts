import type { Column, RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';

/** Most rows that a list may have to be sorted where no index has its order: more would take longer than a list should. */
export const sortable = { most: 10_000 };

/** The direction in which an index holds a column, unset values last; null where none begins with it. */
export function indexed(cls: RecordClass, { column, field }: Column): 'ASC' | 'DESC' | null {
  if (field.shown?.isOrder || field.sortsAs !== undefined || field.kind === 'list') return null;
  if (field.kind === 'id' || field.unique) return 'ASC';
  const own = Object.values(optionsOf(cls).indexes ?? {});
  if (own.some((index) => index.startsWith(`(${column} desc nulls last, id)`))) return 'DESC';
  if (own.some((index) => index.startsWith(`(${column}, id)`))) return 'ASC';
  if (!field.index) return null;
  return field.kind === 'instant' ? 'DESC' : 'ASC';
}
