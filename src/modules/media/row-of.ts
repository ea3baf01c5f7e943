import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Row } from '../../kernel/declare/row.js';
import { selectionFor } from '../../kernel/read/selection.js';
import { building } from '../../kernel/statement.js';

/** A row as it stands after its approval was reconsidered, whether or not the caller sees it in lists. */
export async function rowOf({ sql }: Context, cls: RecordClass, id: string, columns: readonly string[]): Promise<Row> {
  const { table, one } = optionsOf(cls);
  const row = await sql.first(
    building.selectFrom(`${table} as r`).select(selectionFor(cls, columns).columns).where('r.id', '=', id),
  );
  return row ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}
