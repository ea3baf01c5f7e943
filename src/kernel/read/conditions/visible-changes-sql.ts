import type { Change } from '../../changes/index.js';
import {
  alwaysTrue,
  constantSql,
  expression,
  mainRow,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { optionsOf } from '../../declare/record.js';
import { is } from '../../row-shape.js';
import type { Session } from '../../session.js';
import { readingSql } from '../../statement.js';
import { visibleRows } from './visible.js';

/** Returns the row states after and before a change, with the values of the `changeLogColumns`. */
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
 * Returns the SQL join that provides the row states. Columns without a logged value have their current values if `isStored` is true.
 * Otherwise, they are null.
 */
const stateSql = (table: string, isStored: boolean): SqlExpression =>
  isStored
    ? expression`join ${tableNamed(table)} stored on stored.id = s.id cross join lateral jsonb_populate_record(stored, s.state) r`
    : expression`cross join lateral jsonb_populate_record(null::${constantSql(table)}, s.state) r`;

async function changesWhere(
  sql: Session,
  cls: RecordClass,
  changes: readonly Change[],
  conditionOf: (row: RowReference) => SqlExpression | null,
  isStored: boolean,
): Promise<ReadonlySet<Change>> {
  const states = changes.flatMap((change, index) =>
    statesOf(cls, change).map((state) => ({ index, id: change.id, position: change.position, state })),
  );
  const condition = conditionOf(mainRow.at(constantSql('s.position')));
  if (condition === null) return new Set(changes);
  const rows = await sql.rows(
    ...readingSql(
      expression`select distinct s.index from jsonb_to_recordset(${parameter(JSON.stringify(states))}::jsonb) as s(index int, id text, position bigint, state jsonb)
       ${stateSql(optionsOf(cls).table, isStored)}
     where (${condition})`,
    ),
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
  const conditionOf = (row: RowReference) => (historyCondition ? historyCondition(caller, row) : visibleRows(cls, caller, row));
  return changesWhere(sql, cls, changes, conditionOf, false);
};

/**
 * Whether the caller can see at least one of the rows now, and could see it at a position in the change log. Uses the current values of the
 * columns.
 */
export async function canSeeAnyAt(
  sql: Session,
  cls: RecordClass,
  caller: Caller,
  ids: readonly string[],
  position: number,
): Promise<boolean> {
  const condition = visibleRows(cls, caller, mainRow.at(expression`${parameter(position)}::bigint`)) ?? alwaysTrue;
  const table = tableNamed(optionsOf(cls).table);
  const row = await sql.row(
    ...readingSql(
      expression`select exists (select from ${table} r where r.id = any(${parameter(ids)}::text[]) and (${condition})) as "isVisible"`,
    ),
    { isVisible: is.boolean },
  );
  return row?.isVisible ?? false;
}

/** Whether the caller could see an existing row before or after a change. Columns without a logged value have their current values. */
export const wasVisible = async (sql: Session, cls: RecordClass, caller: Caller, change: Change): Promise<boolean> =>
  (await changesWhere(sql, cls, [change], (row) => visibleRows(cls, caller, row), true)).size > 0;
