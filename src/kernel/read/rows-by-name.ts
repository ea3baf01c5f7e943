import type { Row, RowsById } from '../declare/row.js';
import { toNfc } from '../declare/scalars/text.js';

type RowsByName = ReadonlyMap<string, readonly Row[]>;

const normalizeName = (name: unknown): string => toNfc(String(name)).toLowerCase();
const indexes = new WeakMap<RowsById, Map<string, RowsByName>>();

/** Returns the rows of a constant record, keyed by the names in `columns`. Cached for each version of the rows. */
function nameIndexOf(rows: RowsById, columns: readonly string[]): RowsByName {
  const cachedIndexes = indexes.get(rows) ?? new Map<string, RowsByName>();
  indexes.set(rows, cachedIndexes);
  const cachedIndex = cachedIndexes.get(columns.join());
  if (cachedIndex) return cachedIndex;
  const index = new Map<string, Row[]>();
  for (const row of rows.values())
    for (const name of new Set(columns.flatMap((key) => (row[key] === null ? [] : [normalizeName(row[key])]))))
      index.set(name, [...(index.get(name) ?? []), row]);
  cachedIndexes.set(columns.join(), index);
  return index;
}

/** Returns the rows of a constant record that have the given name. Case is ignored. */
export const rowsWithName = (rows: RowsById, columns: readonly string[], name: unknown): readonly Row[] =>
  nameIndexOf(rows, columns).get(normalizeName(name)) ?? [];

/**
 * Returns the row with the given name. If `parent` is given, only considers rows of that parent. Null if no row or several rows have the
 * name.
 */
export function rowWithName(
  rows: RowsById,
  columns: readonly string[],
  name: unknown,
  parent?: { key: string; id: unknown },
): Row | null {
  const matchingRows = rowsWithName(rows, columns, name).filter((row) => !parent || row[parent.key] === parent.id);
  return matchingRows.length === 1 ? (matchingRows[0] ?? null) : null;
}
