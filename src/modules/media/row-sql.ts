import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf, type RecordClass } from '../../kernel/meta.js';
import { optionsOf } from '../../kernel/record.js';
import type { Row } from '../../kernel/sql.js';

/** A row as it stands after its approval was reconsidered, whether or not the caller sees it in lists. */
export async function rowOf({ sql }: Context, cls: RecordClass, id: string, columns: readonly string[]): Promise<Row> {
  const { table, one } = optionsOf(cls);
  const row = await sql.row(`select ${selectionOf(metaOf(cls), columns)} from ${table} r where r.id = $1`, [id]);
  return row ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}
