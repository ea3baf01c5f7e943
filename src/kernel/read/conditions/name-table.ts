import type { Condition } from '../../declare/fields/options.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../declare/row.js';

/** Returns the SQL expression for the normalized name of a row, for searches. It must be identical to the expression in the index. */
export function searchedName(cls: RecordClass, row = ''): string {
  const columns = (optionsOf(cls).names ?? []).map((key) => row + columnOf(metaOf(cls), key).column);
  const name = columns.length > 1 ? columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `) : columns.join();
  return `unaccent_lower(nfc(${name}))`;
}

/** Returns the SQL expression for the name in lower case, with accents. */
const lowerName = (cls: RecordClass, row: string): string =>
  `lower(nfc(${(optionsOf(cls).names ?? []).map((key) => `${row}.${columnOf(metaOf(cls), key).column}`)}))`;

/** Alias of the name table. */
export const nameAlias = 'n';

/** SQL expressions for the name of a row, from the table of the record or from its name table. */
export interface NameTerms {
  /** Normalized name, for searches. */
  readonly name: string;
  /** Words of the name. */
  readonly words: string;
}

/** Returns the name expressions for the table of the record. */
export const termsOfRow = (cls: RecordClass, row: string): NameTerms => ({
  name: searchedName(cls, `${row}.`),
  words: `split_words(${lowerName(cls, row)})`,
});

/** Returns the name expressions for the name table, which stores the name in both formats. */
export const termsOfNames = (cls: RecordClass): NameTerms => {
  const [first = ''] = optionsOf(cls).names ?? [];
  return { name: `${nameAlias}.name`, words: `split_words(${nameAlias}.${columnOf(metaOf(cls), first).column})` };
};

/**
 * Converts a condition on the name table, aliased `n`, into a condition on the record. `names` is the variant for statements with a custom
 * plan.
 */
export const conditionByNames = (cls: RecordClass, { row, table }: Param, where: string, names = where): Condition & object => ({
  where: `${row}.id in (select n.id from ${table(optionsOf(cls).nameTable ?? '')} n where ${where})`,
  names,
});

const copiedColumns = new WeakMap<RecordClass, ReadonlySet<string>>();

/** Whether the name table has a copy of a column. It copies the ID and the columns of the default order. */
export function isInNames(cls: RecordClass, column: string): boolean {
  const columns =
    copiedColumns.get(cls) ??
    new Set(['id', ...(optionsOf(cls).order ?? []).map(({ field }) => columnOf(metaOf(cls), field).column)]);
  copiedColumns.set(cls, columns);
  return optionsOf(cls).nameTable !== undefined && columns.has(column);
}
