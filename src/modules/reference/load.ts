import type { Session } from '../../kernel/session.js';
import { bringRows, outdated, type ReferenceRows } from './bring-rows-sql.js';
import { referenceData } from './data.js';

/** Whether there are reference data, of this version or of another one. */
export async function hasReference(sql: Session): Promise<boolean> {
  return (await sql.first(sql.db.selectFrom('country').select('id').limit(1))) !== null;
}

/** Brings the reference data of this version into the database; tables that have them already are not written to. */
export async function loadReference(sql: Session): Promise<void> {
  const wanted = await Promise.all(
    referenceData.map(async ([cls, bring]): Promise<ReferenceRows> => {
      const { default: rows } = await bring();
      return [cls, rows.map((row, position) => ({ ...row, position }))];
    }),
  );
  for (const each of await outdated(sql, wanted)) await bringRows(sql, each);
}
