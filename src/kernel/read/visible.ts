import type { Caller } from '../declare/caller.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../session.js';

/** The record whose rows say whose those of another one are: invoices for their items. Null where a row says it itself. */
export function holderOf(cls: RecordClass): RecordClass | null {
  const { seenBy } = optionsOf(cls);
  const target = seenBy ? columnOf(metaOf(cls), seenBy).field.ref?.target() : undefined;
  return target && optionsOf(target).seenBy ? target : null;
}

/** Which rows are a user's, as SQL over the table aliased `row`, by the field that says it. */
export function ownRows(cls: RecordClass, by: string, user: string, row = 'r'): string {
  const { column } = columnOf(metaOf(cls), by);
  const holder = holderOf(cls);
  const { seenBy, table } = holder ? optionsOf(holder) : {};
  if (!holder || !seenBy || by !== optionsOf(cls).seenBy) return `${row}.${column} = ${user}`;
  const own = `${row}_${column}`;
  return `exists (select from ${table} as ${own} where ${own}.id = ${row}.${column} and ${ownRows(holder, seenBy, user, own)})`;
}

/** Which rows of a record a caller sees, as SQL over the table aliased `r`; null for all. */
export function visibleRows(cls: RecordClass, caller: Caller, param: Param): string | null {
  const { seenBy, visible } = optionsOf(cls);
  if (!seenBy) return visible?.(caller, param) ?? null;
  return caller.platform ? null : ownRows(cls, seenBy, param(caller.user?.id ?? ''));
}
