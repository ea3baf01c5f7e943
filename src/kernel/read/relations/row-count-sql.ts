import type { Param } from '../../declare/row.js';
import { readSql } from '../../facts.js';
import { is } from '../../row-shape.js';
import type { Session } from '../../session.js';

/**
 * Returns the SQL expression of the number of rows of a table, from the counters of a trigger. `table` must be a constant, because it is part of the
 * text.
 */
export const rowCountOf = (table: string, param: Param): string =>
  `(select sum(c.count)::int from ${param.table('row_count')} c where c.table_name = '${table}')`;

/** Reads the number of rows of a table, from the counters of a trigger. */
export async function rowCount(sql: Session, table: string): Promise<number> {
  const row = await sql.row(
    readSql(['row_count'], 'select sum(c.count)::int as n from row_count c where c.table_name = $1'),
    [table],
    {
      n: is.orNull(is.number),
    },
  );
  return row?.n ?? 0;
}
