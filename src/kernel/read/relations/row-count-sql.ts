import { constantSql, expression, type SqlExpression, tableNamed } from '../../declare/expression.js';
import { sqlForReading } from '../../facts.js';
import { is } from '../../row-shape.js';
import type { Session } from '../../session.js';

/**
 * Returns the SQL expression for the row count of a table. A trigger maintains the count. `table` must be a constant, because it becomes
 * part of the SQL text.
 */
export const rowCountOf = (table: string): SqlExpression =>
  expression`(select sum(c.count)::int from ${tableNamed('row_count')} c where c.table_name = '${constantSql(table)}')`;

/** Reads the row count of a table. A trigger maintains the count. */
export async function rowCount(sql: Session, table: string): Promise<number> {
  const row = await sql.row(
    sqlForReading(['row_count'], 'select sum(c.count)::int as n from row_count c where c.table_name = $1'),
    [table],
    {
      n: is.orNull(is.number),
    },
  );
  return row?.n ?? 0;
}
