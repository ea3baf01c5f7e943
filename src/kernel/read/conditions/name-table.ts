import { expression, joinExpressions, RowReference, type SqlExpression, tableNamed } from '../../declare/expression.js';
import type { FilterCondition } from '../../declare/fields/options.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';

/** Returns the SQL expression for the normalized name of a row, for searches. It must be identical to the expression in the index. */
export function searchedName(cls: RecordClass, row: RowReference): SqlExpression {
  const columns = (optionsOf(cls).names ?? []).map((key) => row.column(columnOf(metaOf(cls), key).column));
  const parts = columns.length > 1 ? columns.map((column) => expression`coalesce(${column}, '')`) : columns;
  return expression`unaccent_lower(nfc(${joinExpressions(parts, ` || ' ' || `)}))`;
}

/** Returns the SQL expression for the name in lower case. Accents are kept. */
function lowerName(cls: RecordClass, row: RowReference): SqlExpression {
  const columns = (optionsOf(cls).names ?? []).map((key) => row.column(columnOf(metaOf(cls), key).column));
  return expression`lower(nfc(${joinExpressions(columns, ',')}))`;
}

/** Row of the name table. */
export const nameTableRow = new RowReference('n');

/** SQL expressions that searches compare: the name of a row and its words, from the table of the record or from its name table. */
export interface NameTerms {
  /** Normalized name, for searches. */
  readonly name: SqlExpression;
  /** Words of the name. */
  readonly words: SqlExpression;
}

/** Returns the expressions on the table of the record. */
export const nameTermsOfRow = (cls: RecordClass, row: RowReference): NameTerms => ({
  name: searchedName(cls, row),
  words: expression`split_words(${lowerName(cls, row)})`,
});

/** Returns the expressions on the name table, which stores names both normalized and in lower case. */
export const nameTermsOfNameTable = (cls: RecordClass): NameTerms => {
  const [first = ''] = optionsOf(cls).names ?? [];
  return {
    name: nameTableRow.column('name'),
    words: expression`split_words(${nameTableRow.column(columnOf(metaOf(cls), first).column)})`,
  };
};

/**
 * Converts a condition on the name table, aliased `n`, into a condition on the record. `names` is the variant of the condition for
 * statements with custom plans.
 */
export const conditionByNames = (cls: RecordClass, row: RowReference, where: SqlExpression, names = where): FilterCondition => ({
  where: expression`${row}.id in (select n.id from ${tableNamed(optionsOf(cls).nameTable ?? '')} n where ${where})`,
  names,
});

const copiedColumns = new WeakMap<RecordClass, ReadonlySet<string>>();

/** Whether the name table has a copy of a column. It contains the ID and the columns of the default order. */
export function isInNames(cls: RecordClass, column: string): boolean {
  const columns =
    copiedColumns.get(cls) ??
    new Set(['id', ...(optionsOf(cls).order ?? []).map(({ field }) => columnOf(metaOf(cls), field).column)]);
  copiedColumns.set(cls, columns);
  return optionsOf(cls).nameTable !== undefined && columns.has(column);
}
