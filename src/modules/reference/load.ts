import { columnsOf, columnTypes, metaOf } from '../../kernel/meta.js';
import { optionsOf } from '../../kernel/record.js';
import type { Sql } from '../../kernel/sql.js';
import { referenceData } from './data.js';

/** Brings the reference data of this version into the database; rows that are the same already are left alone. */
export async function loadReference(sql: Sql): Promise<void> {
  for (const [cls, rows] of referenceData) {
    const meta = metaOf(cls);
    const columns = [...columnsOf(meta).values()].filter(({ key }) => key !== 'insertedAt');
    const names = columns.map(({ column }) => column).join(', ');
    const types = columns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ');
    const set = columns.filter(({ key }) => key !== 'id').map(({ column }) => `${column} = excluded.${column}`);
    const compared = columns.filter(({ key }) => key !== 'id').map(({ column }) => column);
    await sql.rows(
      `insert into ${optionsOf(cls).table} as r (${names}) select ${columns.map(({ key }) => `"${key}"`).join(', ')} from jsonb_to_recordset($1) as d(${types})
       on conflict (id) do update set ${set.join(', ')}
       where (${compared.map((column) => `r.${column}`).join(', ')}) is distinct from (${compared.map((column) => `excluded.${column}`).join(', ')})`,
      [JSON.stringify(rows.map((row, position) => ({ ...row, position })))],
    );
  }
}
