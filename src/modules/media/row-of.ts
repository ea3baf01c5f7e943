import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selectionFor } from '../../kernel/read/selection.js';
import { building } from '../../kernel/statement.js';

/** A row as it stands after its approval was reconsidered, whether or not the caller sees it in lists. */
export async function rowOf<T extends object, K extends string>(
  { sql }: Context,
  cls: RecordClass<T>,
  id: string,
  columns: readonly K[],
): Promise<RowOf<T, K>> {
  const { table, one } = optionsOf(cls);
  const row = await sql.first(
    building.selectFrom(`${table} as r`).select(selectionFor(cls, columns).columns).where('r.id', '=', id),
  );
  return (row as RowOf<T, K> | null) ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}
