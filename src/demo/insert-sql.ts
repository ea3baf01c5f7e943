import { type Column, columnsOf, columnTypes, metaOf, type RecordClass } from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { writeSql } from '../kernel/facts.js';
import type { Session } from '../kernel/session.js';
import { flatten, type RecordDraft } from './draft.js';

/** Inserts drafts in one statement. Missing values get the defaults of their columns. */
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
    writeSql(
      [optionsOf(record).table],
      `insert into ${optionsOf(record).table} (${names}) select ${columns.map(value).join(', ')} from jsonb_to_recordset($1) as draft(${types})`,
    ),
    [JSON.stringify(rows)],
  );
}

/** Updates the statistics of the query planner. */
export async function analyze(sql: Session): Promise<void> {
  await sql.rows(writeSql([], 'analyze'));
}

/** Copies the players of repeated games to the occurrences. */
export async function copyPlayers(sql: Session): Promise<void> {
  await sql.rows(
    writeSql(['game'], 'update game set player_ids = repeated.player_ids from game repeated where repeated.id = game.parent_id'),
  );
}
