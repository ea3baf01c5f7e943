import type { Client } from 'pg';
import { staging } from './staging-sql.js';

/** Row that is not imported, and the reason. */
export interface RefusedRow {
  readonly table: string;
  readonly file: string;
  readonly line: number;
  /** ID of the row. Null if the row has no valid ID. */
  readonly id: string | null;
  /** Column with the invalid value. Empty if the whole line is invalid. */
  readonly column: string;
  /** Expected value, as a noun phrase. */
  readonly expected: string;
}

/** Stores refused rows until the end of the import. */
export async function storeRefused(client: Client, rows: readonly RefusedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into ${staging}.refused (table_name, file, line, id, column_name, expected)
     select "table", file, line, id, "column", expected
     from json_to_recordset($1) as r("table" text, file text, line int, id text, "column" text, expected text)`,
    [JSON.stringify(rows)],
  );
}

/** Reads the refused rows in the order of the files and their lines, in batches. */
export async function* readRefused(client: Client): AsyncGenerator<RefusedRow[]> {
  await client.query(
    `begin; declare refused_rows no scroll cursor for
     select distinct position, table_name as "table", file, line, id, column_name as "column", expected from ${staging}.refused join ${staging}.file using (table_name, file) order by position, line, "column"`,
  );
  for (;;) {
    const { rows } = await client.query('fetch 5000 from refused_rows');
    if (rows.length === 0) break;
    yield rows.map(({ table, file, line, id, column, expected }) => ({ table, file, line, id, column, expected }));
  }
  await client.query('commit');
}

/** Returns the number of refused rows of each table. A row can have several problems. */
export async function countRefused(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query(
    `select table_name as "table", count(distinct line)::int as count from ${staging}.refused group by table_name`,
  );
  return new Map(rows.map(({ table, count }) => [table, count]));
}
