import type { Session } from '../../kernel/session.js';
import { bringRows, outdated, type Wanted } from './bring-rows-sql.js';
import { referenceData } from './data.js';

/** Brings the reference data of this version into the database; tables that have them already are not written to. */
export async function loadReference(sql: Session): Promise<void> {
  const wanted = referenceData.map(([cls, rows]): Wanted => [cls, rows.map((row, position) => ({ ...row, position }))]);
  for (const each of await outdated(sql, wanted)) await bringRows(sql, each);
}
