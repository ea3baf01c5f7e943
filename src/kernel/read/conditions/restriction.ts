import type { Restriction } from '../../declare/fields/options.js';
import type { Column, RecordMeta } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import type { Param, Row } from '../../declare/row.js';

const restrictionOf = ({ options }: RecordMeta, field: string): Restriction | null =>
  options?.restriction?.fields.includes(field) ? options.restriction : null;

/** Returns the columns that `canSeeField` reads for a field. */
export const columnsForVisibility = (meta: RecordMeta, field: string): readonly string[] =>
  restrictionOf(meta, field)?.columns ?? [];

/** Whether a caller can see a field of a row. */
export const canSeeField = (meta: RecordMeta, field: string, row: Row, caller: Caller): boolean =>
  restrictionOf(meta, field)?.canSee(row, caller) ?? true;

/** Returns the SQL expression for the items of a list column that a caller may search. Null if the caller may search all items. */
export function searchablePart(meta: RecordMeta, { key, column }: Column, caller: Caller, param: Param): string | null {
  const condition = restrictionOf(meta, key)?.condition(caller, param);
  if (!condition) return null;
  const { row } = param;
  const callerIds = `array[${param(caller.user?.id ?? '')}]::text[]`;
  return `(case when ${condition} then ${row}.${column} when ${row}.${column} @> ${callerIds} then ${callerIds} else '{}' end)`;
}

/** Returns the SQL condition that the caller may see a key in the list. Null if the caller may see all lists. */
export function canSeeKey(meta: RecordMeta, { key }: Column, caller: Caller, param: Param): string | null {
  const condition = restrictionOf(meta, key)?.condition(caller, param);
  return condition ? `(${condition} or ${param.key} = ${param(caller.user?.id ?? '')})` : null;
}
