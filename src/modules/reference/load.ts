import type { Session } from '../../kernel/session.js';
import { referenceData } from './data.js';
import { findOutdated, type ReferenceRows, upsertRows } from './upsert-rows-sql.js';

/** Whether the database has reference data, of any version. */
export async function hasReference(sql: Session): Promise<boolean> {
  return (await sql.first(sql.db.selectFrom('country').select('id').limit(1))) !== null;
}

/** Writes the reference data of this version to the database. Skips tables that are up to date. */
export async function loadReference(sql: Session): Promise<void> {
  const tables = await Promise.all(
    referenceData.map(async ([cls, importRows]): Promise<ReferenceRows> => {
      const { default: rows } = await importRows();
      return [cls, rows.map((row, position) => ({ ...row, position }))];
    }),
  );
  for (const table of await findOutdated(sql, tables)) await upsertRows(sql, table);
}
