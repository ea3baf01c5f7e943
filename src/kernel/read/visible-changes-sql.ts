import type { Change } from '../changes/index.js';
import type { Caller } from '../declare/caller.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import type { Session } from '../session.js';
import { collectForText } from '../statement.js';
import { visibleRows } from './visible.js';

/** Values of the `changesBy` columns after and before a change. */
function statesOf(cls: RecordClass, { refs }: Change): Record<string, string>[] {
  const after: Record<string, string> = {};
  const before: Record<string, string> = {};
  for (const ref of refs) {
    const separator = ref.indexOf('=');
    const { column } = columnOf(metaOf(cls), ref.slice(0, separator));
    const value = ref.slice(separator + 1);
    before[column] = value;
    after[column] ??= value;
  }
  return [after, before];
}

/**
 * Changes of rows that the caller could see before or after the change. Uses the values in the changes, because rows may be deleted or hidden by now.
 * Columns that a change does not state are null, which hides the row.
 */
export async function visibleChanges(
  sql: Session,
  cls: RecordClass,
  caller: Caller,
  changes: readonly Change[],
): Promise<ReadonlySet<Change>> {
  const states = changes.flatMap((change, place) => statesOf(cls, change).map((state) => ({ place, state })));
  const values: unknown[] = [JSON.stringify(states)];
  const param = collectForText(values);
  const { historyCondition } = optionsOf(cls);
  const visible = historyCondition ? historyCondition(caller, param) : visibleRows(cls, caller, param);
  if (visible === null) return new Set(changes);
  const rows = await sql.rows(
    readSql(
      param.statedFacts.tables,
      `select distinct s.place from jsonb_to_recordset($1::jsonb) as s(place int, state jsonb)
       cross join lateral jsonb_populate_record(null::${optionsOf(cls).table}, s.state) r
     where (${visible})`,
      param.statedFacts,
    ),
    values,
    { place: is.number },
  );
  const visibleIndexes = new Set(rows.map(({ place }) => place));
  return new Set(changes.filter((_, place) => visibleIndexes.has(place)));
}
