import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import type { Session } from '../session.js';

/** The same as a part of a statement; the name of a table is no value of a request. */
export const rowCountOf = (table: string): string => `(select sum(c.n)::int from row_count c where c.of = '${table}')`;

/** How many rows a table has whose rows a trigger counts. */
export async function rowCount(sql: Session, table: string): Promise<number> {
  const row = await sql.row(readSql(['row_count'], 'select sum(c.n)::int as n from row_count c where c.of = $1'), [table], {
    n: is.orNull(is.number),
  });
  return row?.n ?? 0;
}
