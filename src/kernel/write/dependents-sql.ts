import type { DeletedRows } from '../declare/deleted-ids.js';
import { columnOf, metaOf, type RecordClass, recordNamed } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { sqlForWriting } from '../facts.js';
import { is } from '../row-shape.js';
import type { Session } from '../session.js';

/**
 * Deletes the rows of other records that refer to the given rows, if the record declares `dependents`. Returns the IDs of the deleted rows.
 */
export async function deleteDependents(sql: Session, cls: RecordClass, ids: readonly string[]): Promise<DeletedRows> {
  const deletedRows = new Map<string, string[]>();
  for (const { record, idKey, type } of optionsOf(cls).dependents ?? []) {
    const dependent = recordNamed(record);
    const { table } = optionsOf(dependent);
    const columnNamed = (key: string) => columnOf(metaOf(dependent), key).column;
    const isOfType = type ? ` and ${columnNamed(type.key)} = $2` : '';
    const text = `delete from ${table} where ${columnNamed(idKey)} = any($1::text[])${isOfType} returning id`;
    const rows = await sql.rows(sqlForWriting([table], text), [ids, ...(type ? [type.value] : [])], { id: is.text });
    deletedRows.set(
      record,
      rows.map(({ id }) => id),
    );
  }
  return deletedRows;
}
