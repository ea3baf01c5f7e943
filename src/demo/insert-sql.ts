import { type Column, columnsOf, columnTypes, metaOf, type RecordClass } from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { writeSql } from '../kernel/facts.js';
import type { Session } from '../kernel/session.js';
import { type RecordDraft, unfolded } from './draft.js';

/** Inserts all drafts in one statement; what a draft does not state gets the column's default. */
export async function insertAll<T extends object>(
  sql: Session,
  record: RecordClass<T>,
  drafts: readonly RecordDraft<T>[],
): Promise<void> {
  const meta = metaOf(record);
  const rows = drafts.map((draft) => unfolded(meta, draft));
  const stated = new Set(rows.flatMap((row) => Object.keys(row)));
  const used = [...columnsOf(meta).values()].filter(({ key }) => stated.has(key));
  const value = ({ key, field }: Column) => (field.default ? `coalesce("${key}", ${field.default})` : `"${key}"`);
  const names = used.map(({ column }) => column).join(', ');
  const types = used.map(({ key, field }) => `"${key}" ${columnTypes[field.kind]}`).join(', ');
  await sql.rows(
    writeSql(
      [optionsOf(record).table],
      `insert into ${optionsOf(record).table} (${names}) select ${used.map(value).join(', ')} from jsonb_to_recordset($1) as draft(${types})`,
    ),
    [JSON.stringify(rows)],
  );
}

/** Lets the database count what its tables hold, so that it plans well from the start. */
export async function analyze(sql: Session): Promise<void> {
  await sql.rows(writeSql([], 'analyze'));
}

/** Adds the players of repeated games to the repetitions. */
export async function copyPlayers(sql: Session): Promise<void> {
  await sql.rows(
    writeSql(['game'], 'update game set player_ids = repeated.player_ids from game repeated where repeated.id = game.parent_id'),
  );
}
