import {
  type Column,
  columnsOf,
  columnTypes,
  groupOf,
  metaOf,
  type RecordClass,
  type RecordMeta,
} from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { sqlForWriting } from '../kernel/facts.js';
import type { Row, Session } from '../kernel/session.js';

/** A row of demo data: some fields of a record. Field groups are nested objects. Other properties are ignored. */
export type RecordDraft<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? RecordDraft<T[K]> : T[K];
};

/**
 * Returns the column values of a draft, keyed by column. Groups are flattened. If platforms report the creation and last change of the
 * record, the reported values default to `createdAt`, `createdBy`, `updatedAt` and `updatedBy` of the draft.
 */
function flatten(meta: RecordMeta, draft: object, prefix = ''): Row {
  const row: Row = {};
  for (const field of meta.fields.values()) {
    const value: unknown = Reflect.get(draft, field.name);
    if (value === undefined) continue;
    if (field.kind === 'group') Object.assign(row, flatten(groupOf(field), Object(value), `${field.name}.`));
    else row[prefix + field.name] = value;
  }
  if (meta.fields.has('reported'))
    for (const key of ['createdAt', 'createdBy', 'updatedAt', 'updatedBy'])
      if (row[key] !== undefined) row[`reported.${key}`] ??= row[key];
  return row;
}

/** Inserts drafts in one statement. Columns without a value get their default. */
export async function insertAll<T extends object>(
  sql: Session,
  record: RecordClass<T>,
  drafts: readonly RecordDraft<T>[],
): Promise<void> {
  const meta = metaOf(record);
  const rows = drafts.map((draft) => flatten(meta, draft));
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...columnsOf(meta).values()].filter(({ key }) => keys.has(key));
  const value = ({ key, field }: Column) => (field.default ? `coalesce("${key}", ${field.default})` : `"${key}"`);
  const names = columns.map(({ column }) => column).join(', ');
  const types = columns.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ');
  await sql.rows(
    sqlForWriting(
      [optionsOf(record).table],
      `insert into ${optionsOf(record).table} (${names}) select ${columns.map(value).join(', ')} from jsonb_to_recordset($1) as draft(${types})`,
    ),
    [JSON.stringify(rows)],
  );
}

export async function updatePlannerStatistics(sql: Session): Promise<void> {
  await sql.rows(sqlForWriting([], 'analyze'));
}

/** Copies the players of each repeated game to its occurrences. */
export async function copyPlayersToOccurrences(sql: Session): Promise<void> {
  await sql.rows(
    sqlForWriting(
      ['game'],
      'update game set player_ids = repeated.player_ids from game repeated where repeated.id = game.parent_id',
    ),
  );
}
