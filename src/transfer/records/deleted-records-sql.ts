import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { z } from 'zod';
import { StartProblem } from '../../process/start-problem.js';
import { deletedRecordTables } from '../tables.js';
import { readNdjson } from './read-ndjson.js';

/** Returns the name of the file that contains a table of deleted records. */
export const deletedRecordsFile = (table: string): string => `${table}.ndjson`;

const id = z.string().regex(/^[^\0]{1,255}$/);
const row = z.strictObject({ id, tournament_id: id.optional() });

/** Rows of the tables of deleted records, keyed by table. */
export type DeletedRecordRows = ReadonlyMap<string, readonly z.infer<typeof row>[]>;

/** Reads the IDs of deleted records from the files of a directory. Throws a StartProblem for an invalid line. */
export async function readDeletedRecords(directory: string): Promise<DeletedRecordRows> {
  const records = new Map<string, z.infer<typeof row>[]>();
  for (const table of deletedRecordTables.keys()) {
    const path = join(directory, deletedRecordsFile(table));
    const rows: z.infer<typeof row>[] = [];
    if (existsSync(path))
      for await (const lines of readNdjson(path))
        for (const { line, row: values } of lines) {
          const { success, data } = row.safeParse(values);
          if (!success || (table === 'deleted_event') !== (data.tournament_id !== undefined))
            throw new StartProblem(`${path} is invalid at line ${line}: expected a line that "courtside export" has written.`);
          rows.push(data);
        }
    records.set(table, rows);
  }
  return records;
}

/** Inserts the IDs of records that were deleted in the exported database. Skips the IDs of records that exist in this database. */
export async function insertDeletedRecords(client: Client, records: DeletedRecordRows): Promise<void> {
  for (const [table, rows] of records)
    await client.query(
      `insert into public.${table} select r.* from json_populate_recordset(null::public.${table}, $1::json) r
       where not exists (select from public.${deletedRecordTables.get(table)} t where t.id = r.id) on conflict do nothing`,
      [JSON.stringify(rows)],
    );
}
