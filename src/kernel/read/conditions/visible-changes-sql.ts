import type { Change } from '../../changes/index.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { optionsOf } from '../../declare/record.js';
import { sqlForReading } from '../../facts.js';
import { is } from '../../row-shape.js';
import type { Param, Session } from '../../session.js';
import { collectForText } from '../../statement.js';
import { visibleRows } from './visible.js';

/** Returns the values of the `changeLogColumns`, after and before a change. */
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
 * Returns the join with the state of a row at a change. Columns without a logged value are null. If `isStored` is true, they have their
 * current values.
 */
const stateSql = (table: string, isStored: boolean): string =>
  isStored
    ? `join ${table} stored on stored.id = s.id cross join lateral jsonb_populate_record(stored, s.state) r`
    : `cross join lateral jsonb_populate_record(null::${table}, s.state) r`;

async function changesWhere(
  sql: Session,
  cls: RecordClass,
  changes: readonly Change[],
  conditionOf: (param: Param) => string | null,
  isStored: boolean,
): Promise<ReadonlySet<Change>> {
  const states = changes.flatMap((change, index) =>
    statesOf(cls, change).map((state) => ({ index, id: change.id, position: change.position, state })),
  );
  const values: unknown[] = [JSON.stringify(states)];
  const param = collectForText(values);
  const condition = conditionOf(param.at('s.position'));
  if (condition === null) return new Set(changes);
  const { table } = optionsOf(cls);
  const rows = await sql.rows(
    sqlForReading(
      [...param.statedFacts.tables, ...(isStored ? [table] : [])],
      `select distinct s.index from jsonb_to_recordset($1::jsonb) as s(index int, id text, position bigint, state jsonb)
       ${stateSql(table, isStored)}
     where (${condition})`,
      param.statedFacts,
    ),
    values,
    { index: is.number },
  );
  const indexes = new Set(rows.map(({ index }) => index));
  return new Set(changes.filter((_, index) => indexes.has(index)));
}

/**
 * Returns the changes to rows that the caller could see before or after the change. Uses the values in the change log, because rows may have been
 * deleted or hidden. Columns without a logged value are null, which hides the row.
 */
export const visibleChanges = (
  sql: Session,
  cls: RecordClass,
  caller: Caller,
  changes: readonly Change[],
): Promise<ReadonlySet<Change>> => {
  const { historyCondition } = optionsOf(cls);
  const conditionOf = (param: Param) => (historyCondition ? historyCondition(caller, param) : visibleRows(cls, caller, param));
  return changesWhere(sql, cls, changes, conditionOf, false);
};

/**
 * Whether the caller can see at least one of the rows now, and could see it at a position in the change log. Uses the current values of its
 * columns.
 */
export async function canSeeAnyAt(
  sql: Session,
  cls: RecordClass,
  caller: Caller,
  ids: readonly string[],
  position: number,
): Promise<boolean> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const condition = visibleRows(cls, caller, param.at(`${param(position)}::bigint`)) ?? 'true';
  const { table } = optionsOf(cls);
  const row = await sql.row(
    sqlForReading(
      [...param.statedFacts.tables, table],
      `select exists (select from ${table} r where r.id = any(${param(ids)}::text[]) and (${condition})) as "isVisible"`,
      param.statedFacts,
    ),
    values,
    { isVisible: is.boolean },
  );
  return row?.isVisible ?? false;
}

/** Whether the caller could see an existing row before or after a change. Columns without a logged value have their current values. */
export const wasVisible = async (sql: Session, cls: RecordClass, caller: Caller, change: Change): Promise<boolean> =>
  (await changesWhere(sql, cls, [change], (param) => visibleRows(cls, caller, param), true)).size > 0;
