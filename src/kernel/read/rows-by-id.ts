import type { Context } from '../declare/context.js';
import { fail } from '../declare/errors.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { RowOf } from '../declare/row.js';
import { placeholder, queryBuilder, type Statement, statementOf } from '../statement.js';
import { selectionFor } from './selection.js';

/**
 * Returns the statement that reads columns of a row. The first value of the statement is the ID of the row. With `isLocked`, the statement
 * also locks the row.
 */
export function rowStatement(cls: RecordClass, keys: readonly string[], isLocked = false): Statement {
  const { number, columns } = selectionFor(cls, [...new Set(['id', ...keys])]);
  return statementOf(`${isLocked ? 'locked row' : 'row'} ${cls.name} ${number}`, () => {
    const query = queryBuilder
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(columns)
      .where('r.id', '=', placeholder(1));
    return isLocked ? query.forUpdate() : query;
  });
}

/** Reads the row with the given ID, even if lists hide it from the caller. Throws NOT_FOUND if it does not exist. */
export async function rowById<T extends object, K extends string>(
  { sql }: Context,
  cls: RecordClass<T>,
  id: string,
  columns: readonly K[],
): Promise<RowOf<T, K>> {
  const { table, one } = optionsOf(cls);
  const row = await sql.first(
    queryBuilder.selectFrom(`${table} as r`).select(selectionFor(cls, columns).columns).where('r.id', '=', id),
  );
  return (row as RowOf<T, K> | null) ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}

/** Reads rows by ID, in the order of the IDs, even if lists hide them from the caller. Skips IDs without a row. */
export async function rowsById<T extends object, K extends string>(
  { sql }: Context,
  cls: RecordClass<T>,
  ids: readonly string[],
  columns: readonly K[],
): Promise<RowOf<T, K>[]> {
  if (ids.length === 0) return [];
  const statement = queryBuilder.selectFrom(`${optionsOf(cls).table} as r`).select(selectionFor(cls, [...columns, 'id']).columns);
  const rows = await sql.run(statement.where('r.id', 'in', ids));
  const byId = new Map(rows.map((row) => [row.id, row as RowOf<T, K>]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
