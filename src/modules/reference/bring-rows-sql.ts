import { columnsOf, columnTypes, metaOf, type RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Row, Session } from '../../kernel/session.js';

/** Creates rows of a record, or changes those that differ, in one statement. */
export async function bringRows(sql: Session, cls: RecordClass, rows: readonly Row[]): Promise<void> {
  const columns = [...columnsOf(metaOf(cls)).values()].filter(({ key }) => key !== 'insertedAt');
  const names = columns.map(({ column }) => column).join(', ');
  const given = columns.map(({ key }) => `"${key}"`).join(', ');
  const types = columns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ');
  const changed = columns.flatMap(({ key, column }) => (key === 'id' ? [] : [column]));
  const of = (row: string) => changed.map((column) => `${row}.${column}`).join(', ');
  await sql.rows(
    `insert into ${optionsOf(cls).table} as r (${names}) select ${given} from jsonb_to_recordset($1) as d(${types})
     on conflict (id) do update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}
     where (${of('r')}) is distinct from (${of('excluded')})`,
    [JSON.stringify(rows)],
  );
}
