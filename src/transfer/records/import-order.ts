import type { DictionaryTable } from '../dictionary/dictionary.js';

/**
 * Tables with triggers that change another table, keyed by that table. They are imported first, so that triggers do not overwrite imported
 * rows.
 */
const precedingTables: Readonly<Record<string, readonly string[]>> = {
  app_user: ['user_image'],
  match: ['prematch', 'pregame', 'team'],
};

/** Returns the tables that must be imported before a table. */
const referencedTables = ({ table, columns }: DictionaryTable): string[] => [
  ...(precedingTables[table] ?? []),
  ...columns.flatMap(({ reference, isReferenceChecked }) =>
    reference && isReferenceChecked ? [reference.replace(/\.id$/, '')] : [],
  ),
];

/** Sorts tables topologically: each table follows the tables that it refers to. Ignores the reference that closes a cycle. */
export function sortedByReferences(tables: readonly DictionaryTable[]): DictionaryTable[] {
  const byName = new Map(tables.map((table) => [table.table, table]));
  const sorted = new Set<DictionaryTable>();
  const visited = new Set<string>();
  const visit = (table: DictionaryTable): void => {
    if (visited.has(table.table)) return;
    visited.add(table.table);
    for (const name of referencedTables(table)) {
      const referenced = byName.get(name);
      // An order in `precedingTables` overrides the references in the opposite direction.
      if (referenced && !precedingTables[name]?.includes(table.table)) visit(referenced);
    }
    sorted.add(table);
  };
  for (const table of tables) visit(table);
  return [...sorted];
}
