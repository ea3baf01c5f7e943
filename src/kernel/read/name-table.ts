import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';

/** SQL of a row's name as it is searched; the index holds this very text. */
export function searchedName(cls: RecordClass, row = ''): string {
  const columns = (optionsOf(cls).names ?? []).map((key) => row + columnOf(metaOf(cls), key).column);
  const name = columns.length > 1 ? columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `) : columns.join();
  return `folded(nfc(${name}))`;
}

/** SQL of the name in lower case, with its accents. */
const lowerName = (cls: RecordClass, row: string): string =>
  `lower(nfc(${(optionsOf(cls).names ?? []).map((key) => row + columnOf(metaOf(cls), key).column)}))`;

/** SQL of the words of a row's name. */
export const wordsOf = (cls: RecordClass, row: string): string => `words_of(${lowerName(cls, row)})`;

/** Where a record's names are looked for: what stands behind `from`, and over that a row's id and its name as it is searched. */
export function namesOf(cls: RecordClass): { from: string; id: string; name: string } {
  const { table, nameTable } = optionsOf(cls);
  return nameTable
    ? { from: fromNames(cls), id: 'n.id', name: 'n.name' }
    : { from: `${table} r`, id: 'r.id', name: searchedName(cls, 'r.') };
}

/** The rows of a name table, `n`, with those whose names they are: PostgreSQL leaves out the latter where nothing is asked of them. */
const fromNames = (cls: RecordClass): string =>
  `${optionsOf(cls).nameTable} n left join ${optionsOf(cls).table} r on r.id = n.id`;

/**
 * A condition on the rows of a record's name table, `n`, as one on the record's rows, `r`; `names` is the same for statements that are planned by
 * their values.
 */
export const byNames = (cls: RecordClass, where: string, names = where): Condition & object => ({
  where: `r.id in (select n.id from ${optionsOf(cls).nameTable} n where ${where})`,
  names,
});

interface Terms {
  readonly searched: string;
  readonly lower: string;
  /** The columns of the record that its name table has, too. */
  readonly kept: RegExp;
}

const known = new WeakMap<RecordClass, Terms>();

function termsOf(cls: RecordClass): Terms {
  const found = known.get(cls);
  if (found) return found;
  const columns = ['id', ...(optionsOf(cls).order ?? []).map(({ field }) => columnOf(metaOf(cls), field).column)];
  const terms = {
    searched: searchedName(cls, 'r.'),
    lower: lowerName(cls, 'r.'),
    kept: new RegExp(`\\br\\.(?=(${columns.join('|')})\\b)`, 'g'),
  };
  known.set(cls, terms);
  return terms;
}

/** SQL over the record's rows, `r`, that asks the name table for what it has of them. */
export function overNames(cls: RecordClass, sql: string): string {
  const { searched, lower, kept } = termsOf(cls);
  return sql.replaceAll(searched, 'n.name').replaceAll(lower, 'n.title').replace(kept, 'n.');
}
