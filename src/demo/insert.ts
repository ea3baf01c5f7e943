import { type Column, columnsOf, columnTypes, groupOf, metaOf, type RecordClass, type RecordMeta } from '../kernel/meta.js';
import { optionsOf } from '../kernel/record.js';
import type { Row, Sql } from '../kernel/sql.js';

/** A row as the files of the season write it: any of a record's fields, groups as objects. What it holds beyond them is left out. */
export type Draft<T> = { [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Draft<T[K]> : T[K] };

/** A draft's columns by key, groups unfolded; what it says of its making is what its platform reports, too. */
function unfolded(meta: RecordMeta, draft: object, prefix = ''): Row {
  const row: Row = {};
  for (const field of meta.fields.values()) {
    const value: unknown = Reflect.get(draft, field.name);
    if (value === undefined) continue;
    if (field.kind === 'group') Object.assign(row, unfolded(groupOf(field), Object(value), `${field.name}.`));
    else row[prefix + field.name] = value;
  }
  if (meta.fields.has('reported'))
    for (const key of ['createdAt', 'createdBy', 'updatedAt', 'updatedBy'])
      if (row[key] !== undefined) row[`reported.${key}`] ??= row[key];
  return row;
}

/** Inserts all drafts in one statement; what a draft does not state gets the column's default. */
export async function insertAll<T extends object>(sql: Sql, record: RecordClass<T>, drafts: readonly Draft<T>[]): Promise<void> {
  const meta = metaOf(record);
  const rows = drafts.map((draft) => unfolded(meta, draft));
  const stated = new Set(rows.flatMap((row) => Object.keys(row)));
  const used = [...columnsOf(meta).values()].filter(({ key }) => stated.has(key));
  const value = ({ key, field }: Column) => (field.default ? `coalesce("${key}", ${field.default})` : `"${key}"`);
  await sql.rows(
    `insert into ${optionsOf(record).table} (${used.map(({ column }) => column).join(', ')})
     select ${used.map(value).join(', ')} from jsonb_to_recordset($1) as draft(${used.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ')})`,
    [JSON.stringify(rows)],
  );
}
