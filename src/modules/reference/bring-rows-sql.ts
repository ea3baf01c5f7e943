import { columnsOf, columnTypes, metaOf, type RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { readSql, writeSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Row, Session } from '../../kernel/session.js';

/** Rows that a table should have. */
export type ReferenceRows = readonly [cls: RecordClass, rows: readonly Row[]];

/** A record in the words of a statement: its table, its columns, and the same as they are read from JSON. */
function termsOf(cls: RecordClass) {
  const columns = [...columnsOf(metaOf(cls)).values()].filter(({ key }) => key !== 'insertedAt');
  return {
    table: optionsOf(cls).table,
    names: columns.map(({ column }) => column).join(', '),
    given: columns.map(({ key }) => `"${key}"`).join(', '),
    types: columns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', '),
    changed: columns.flatMap(({ key, column }) => (key === 'id' ? [] : [column])),
  };
}

/** Which of these lack a row, or have it otherwise; in one statement, which writes nothing. */
export async function outdated(sql: Session, wanted: readonly ReferenceRows[]): Promise<ReferenceRows[]> {
  const lacks = wanted.map(([cls], place) => {
    const { table, names, given, types } = termsOf(cls);
    return `select ${place} as place where exists
      (select ${given} from jsonb_to_recordset($${place + 1}) as d(${types}) except select ${names} from ${table})`;
  });
  const places = await sql.rows(
    readSql(
      wanted.map(([cls]) => optionsOf(cls).table),
      lacks.join(' union all '),
    ),
    wanted.map(([, rows]) => JSON.stringify(rows)),
    { place: is.number },
  );
  const found = new Set(places.map(({ place }) => place));
  return wanted.filter((_, place) => found.has(place));
}

/** Creates rows of a record, or changes those that differ, in one statement. */
export async function bringRows(sql: Session, [cls, rows]: ReferenceRows): Promise<void> {
  const { table, names, given, types, changed } = termsOf(cls);
  const of = (row: string) => changed.map((column) => `${row}.${column}`).join(', ');
  await sql.rows(
    writeSql(
      [table],
      `insert into ${table} as r (${names}) select ${given} from jsonb_to_recordset($1) as d(${types})
     on conflict (id) do update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}
     where (${of('r')}) is distinct from (${of('excluded')})`,
    ),
    [JSON.stringify(rows)],
  );
}
