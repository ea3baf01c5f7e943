import { expression, parameter, type RowReference, type SqlExpression } from '../../declare/expression.js';
import type { IdListRestriction } from '../../declare/fields/options.js';
import type { Column, RecordMeta } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import type { Row } from '../../declare/row.js';

const restrictionOf = ({ options }: RecordMeta, field: string): IdListRestriction | null =>
  options?.restriction?.fields.includes(field) ? options.restriction : null;

/** Returns the columns that `canSeeField` reads for a field. */
export const columnsForVisibility = (meta: RecordMeta, field: string): readonly string[] =>
  restrictionOf(meta, field)?.columns ?? [];

/** Whether a caller can see a field of a row. */
export const canSeeField = (meta: RecordMeta, field: string, row: Row, caller: Caller): boolean =>
  restrictionOf(meta, field)?.canSee(row, caller) ?? true;

/** Returns the SQL expression for the items of a list column that a caller may search. Null if the caller may search all items. */
export function searchablePart(
  meta: RecordMeta,
  { key, column }: Column,
  caller: Caller,
  row: RowReference,
): SqlExpression | null {
  const condition = restrictionOf(meta, key)?.condition(caller, row);
  if (!condition) return null;
  const items = row.column(column);
  const callerIds = expression`array[${parameter(caller.user?.id ?? '')}]::text[]`;
  return expression`(case when ${condition} then ${items} when ${items} @> ${callerIds} then ${callerIds} else '{}' end)`;
}

/** Returns the SQL condition that the caller may see the ID `row.key` in the row's list of IDs. Null if the caller may see all lists. */
export function canSeeKey(meta: RecordMeta, { key }: Column, caller: Caller, row: RowReference): SqlExpression | null {
  const condition = restrictionOf(meta, key)?.condition(caller, row);
  return condition ? expression`(${condition} or ${row.key} = ${parameter(caller.user?.id ?? '')})` : null;
}
