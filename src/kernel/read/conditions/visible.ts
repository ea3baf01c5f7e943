import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../session.js';

/**
 * Returns the record that contains the owner of a row, such as the invoice for an invoice item. Null if the row itself contains the ID of
 * its owner.
 */
export function ownerRecordOf(cls: RecordClass): RecordClass | null {
  const { ownerField } = optionsOf(cls);
  const target = ownerField ? columnOf(metaOf(cls), ownerField).field.ref?.target() : undefined;
  return target && optionsOf(target).ownerField ? target : null;
}

/**
 * Returns the SQL condition that the user owns the row. `ownerField` contains the ID of the user, or of a row of another record. `next` returns the
 * owner field of that record, or null if `ownerField` contains the ID of the user.
 */
export function isOwnedBy(
  cls: RecordClass,
  ownerField: string,
  user: string,
  param: Param,
  ownerFieldOf: (target: RecordClass) => string | null,
): string {
  const { row } = param;
  const { column, field } = columnOf(metaOf(cls), ownerField);
  const target = field.ref?.target();
  const nextOwnerField = target ? ownerFieldOf(target) : null;
  if (!target || nextOwnerField === null) return `${row}.${column} = ${user}`;
  const targetAlias = `${row}_${column}`;
  const isTargetOwned = isOwnedBy(target, nextOwnerField, user, param.for(targetAlias), ownerFieldOf);
  return `exists (select from ${param.table(optionsOf(target).table)} as ${targetAlias} where ${targetAlias}.id = ${row}.${column} and ${isTargetOwned})`;
}

/** Returns the SQL condition that the user owns the row, given the owner field of the record. */
export const isOwnRow = (cls: RecordClass, ownerField: string, user: string, param: Param): string =>
  isOwnedBy(cls, ownerField, user, param, (target) =>
    ownerField === optionsOf(cls).ownerField ? (optionsOf(target).ownerField ?? null) : null,
  );

/** Returns the SQL condition for rows that the caller can see. Null if the caller can see all rows. */
export function visibleRows(cls: RecordClass, caller: Caller, param: Param): string | null {
  const { ownerField, visibleCondition } = optionsOf(cls);
  if (!ownerField) return visibleCondition?.(caller, param) ?? null;
  return caller.platform ? null : isOwnRow(cls, ownerField, param(caller.user?.id ?? ''), param);
}
