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

/**
 * SQL: whether the row is a user's, by the field that says it. That names the user, or a row of another record
 * that says it: by which of its own fields is what `next` tells, and null where the first one names the user.
 */
export function isTheirs(
  cls: RecordClass,
  by: string,
  user: string,
  param: Param,
  next: (target: RecordClass) => string | null,
): string {
  const { row } = param;
  const { column, field } = columnOf(metaOf(cls), by);
  const target = field.ref?.target();
  const beyond = target ? next(target) : null;
  if (!target || beyond === null) return `${row}.${column} = ${user}`;
  const inner = `${row}_${column}`;
  const theirs = isTheirs(target, beyond, user, param.for(inner), next);
  return `exists (select from ${param.table(optionsOf(target).table)} as ${inner} where ${inner}.id = ${row}.${column} and ${theirs})`;
}

/** SQL: the row belongs to the user, by the field that names its owner. */
export const ownRows = (cls: RecordClass, by: string, user: string, param: Param): string =>
  isTheirs(cls, by, user, param, (target) => (by === optionsOf(cls).seenBy ? (optionsOf(target).seenBy ?? null) : null));

/** SQL: the caller sees the row. Null: the caller sees all rows. */
export function visibleRows(cls: RecordClass, caller: Caller, param: Param): string | null {
  const { seenBy, visible } = optionsOf(cls);
  if (!seenBy) return visible?.(caller, param) ?? null;
  return caller.platform ? null : ownRows(cls, seenBy, param(caller.user?.id ?? ''), param);
}
