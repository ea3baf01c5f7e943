import type { Column, RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';

/** Maximum number of rows of a list that is sorted without an index. */
export const sortLimit = { rows: 10_000 };

/** Returns the direction of an index that starts with a column and has null values last. Null if there is none. */
export function indexDirection(cls: RecordClass, { column, field }: Column): 'ASC' | 'DESC' | null {
  if (field.conversion?.isOrder || field.nullSortsAs !== undefined || field.kind === 'list') return null;
  if (field.kind === 'id' || field.unique) return 'ASC';
  const indexes = Object.values(optionsOf(cls).indexes ?? {});
  if (indexes.some((index) => index.startsWith(`(${column} desc nulls last, id)`))) return 'DESC';
  if (indexes.some((index) => index.startsWith(`(${column}, id)`))) return 'ASC';
  if (!field.index) return null;
  return field.kind === 'instant' ? 'DESC' : 'ASC';
}
