import { toNfc } from '../declare/nfc.js';
import type { Row } from '../declare/row.js';

type Rows = ReadonlyMap<unknown, Row>;
type RowsByName = ReadonlyMap<string, readonly Row[]>;

const normalizeName = (name: unknown): string => toNfc(String(name)).toLowerCase();
const indexes = new WeakMap<Rows, Map<string, RowsByName>>();

/** Rows of a constant record by the values of the columns `by`. Cached. */
function indexOf(rows: Rows, by: readonly string[]): RowsByName {
  const cachedIndexes = indexes.get(rows) ?? new Map<string, RowsByName>();
  indexes.set(rows, cachedIndexes);
  const cachedIndex = cachedIndexes.get(by.join());
  if (cachedIndex) return cachedIndex;
  const index = new Map<string, Row[]>();
  for (const row of rows.values())
    for (const name of new Set(by.flatMap((key) => (row[key] === null ? [] : [normalizeName(row[key])]))))
      index.set(name, [...(index.get(name) ?? []), row]);
  cachedIndexes.set(by.join(), index);
  return index;
}

/** Rows of a constant record with a name, in any letter case. */
export const rowsWithName = (rows: Rows, by: readonly string[], name: unknown): readonly Row[] =>
  indexOf(rows, by).get(normalizeName(name)) ?? [];

/** The only row with a name. With `within`, the only such row of that parent. Null if there are none or several. */
export function rowWithName(rows: Rows, by: readonly string[], name: unknown, within?: { key: string; id: unknown }): Row | null {
  const matchingRows = rowsWithName(rows, by, name).filter((row) => !within || row[within.key] === within.id);
  return matchingRows.length === 1 ? (matchingRows[0] ?? null) : null;
}
