import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../session.js';

/** Record that determines the owner of the rows of another record, such as the invoice of an item. Null if the row itself has the ID of its owner. */
export function ownerRecordOf(cls: RecordClass): RecordClass | null {
  const { ownerField } = optionsOf(cls);
  const target = ownerField ? columnOf(metaOf(cls), ownerField).field.ref?.target() : undefined;
  return target && optionsOf(target).ownerField ? target : null;
}

/**
 * SQL condition: the user owns the row. `ownerField` has the ID of the user, or of a row of another record that has an owner. `next` returns the
 * owner field of that record, or null if `ownerField` has the ID of the user.
 */
export function isOwnedBy(
  cls: RecordClass,
  ownerField: string,
  user: string,
  param: Param,
  next: (target: RecordClass) => string | null,
): string {
  const { row } = param;
  const { column, field } = columnOf(metaOf(cls), ownerField);
  const target = field.ref?.target();
  const nextOwnerField = target ? next(target) : null;
  if (!target || nextOwnerField === null) return `${row}.${column} = ${user}`;
  const targetAlias = `${row}_${column}`;
  const isTargetOwned = isOwnedBy(target, nextOwnerField, user, param.for(targetAlias), next);
  return `exists (select from ${param.table(optionsOf(target).table)} as ${targetAlias} where ${targetAlias}.id = ${row}.${column} and ${isTargetOwned})`;
}

/** SQL condition: the user owns the row, by its owner field. */
export const isOwnRow = (cls: RecordClass, ownerField: string, user: string, param: Param): string =>
  isOwnedBy(cls, ownerField, user, param, (target) =>
    ownerField === optionsOf(cls).ownerField ? (optionsOf(target).ownerField ?? null) : null,
  );

/** SQL condition: the caller can see the row. Null if the caller can see all rows. */
export function visibleRows(cls: RecordClass, caller: Caller, param: Param): string | null {
  const { ownerField, visibleCondition } = optionsOf(cls);
  if (!ownerField) return visibleCondition?.(caller, param) ?? null;
  return caller.platform ? null : isOwnRow(cls, ownerField, param(caller.user?.id ?? ''), param);
}
