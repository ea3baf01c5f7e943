import type { Session } from '../../kernel/session.js';
import { bringRows } from './bring-rows-sql.js';
import { referenceData } from './data.js';

/** Brings the reference data of this version into the database; rows that are the same already are left alone. */
export async function loadReference(sql: Session): Promise<void> {
  for (const [cls, rows] of referenceData)
    await bringRows(
      sql,
      cls,
      rows.map((row, position) => ({ ...row, position })),
    );
}
