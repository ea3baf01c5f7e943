import { columnsOf, columnTypes, metaOf, type RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { sqlForReading, sqlForWriting } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Row, Session } from '../../kernel/session.js';
import { referenceData } from './data.js';

/** A record class with the rows of its reference data. */
type ReferenceRows = readonly [cls: RecordClass, rows: readonly Row[]];

/** Returns the SQL fragments for the statements of a record: its table, its columns, and the JSON keys and types of the rows. */
function sqlPartsOf(cls: RecordClass) {
  const columns = [...columnsOf(metaOf(cls)).values()].filter(({ key }) => key !== 'insertedAt');
  return {
    table: optionsOf(cls).table,
    columnNames: columns.map(({ column }) => column).join(', '),
    keys: columns.map(({ key }) => `"${key}"`).join(', '),
    types: columns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', '),
    updatedColumns: columns.flatMap(({ key, column }) => (key === 'id' ? [] : [column])),
  };
}

/** Returns the tables in which reference rows are missing or outdated. Runs a single statement, which changes nothing. */
async function findOutdated(sql: Session, tables: readonly ReferenceRows[]): Promise<ReferenceRows[]> {
  const selects = tables.map(([cls], index) => {
    const { table, columnNames, keys, types } = sqlPartsOf(cls);
    return `select ${index} as index where exists
      (select ${keys} from jsonb_to_recordset($${index + 1}) as d(${types}) except select ${columnNames} from ${table})`;
  });
  const outdatedRows = await sql.rows(
    sqlForReading(
      tables.map(([cls]) => optionsOf(cls).table),
      selects.join(' union all '),
    ),
    tables.map(([, rows]) => JSON.stringify(rows)),
    { index: is.number },
  );
  const indexes = new Set(outdatedRows.map(({ index }) => index));
  return tables.filter((_, index) => indexes.has(index));
}

/** Inserts rows of a record and updates rows that differ, with one statement. */
export async function upsertRows(sql: Session, [cls, rows]: ReferenceRows): Promise<void> {
  const { table, columnNames, keys, types, updatedColumns } = sqlPartsOf(cls);
  const columnsIn = (row: string) => updatedColumns.map((column) => `${row}.${column}`).join(', ');
  await sql.rows(
    sqlForWriting(
      [table],
      `insert into ${table} as r (${columnNames}) select ${keys} from jsonb_to_recordset($1) as d(${types})
     on conflict (id) do update set ${updatedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
     where (${columnsIn('r')}) is distinct from (${columnsIn('excluded')})`,
    ),
    [JSON.stringify(rows)],
  );
}

/** Whether the database contains reference data of any version. */
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
