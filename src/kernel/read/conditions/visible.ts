import { expression, parameter, type RowReference, type SqlExpression, tableNamed } from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { type Policy, platform } from '../../declare/policy/policy.js';
import { optionsOf } from '../../declare/record.js';

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
 * Returns the SQL condition that the user owns the row. `ownerField` contains a user ID, or the ID of a row of another record.
 * `ownerFieldOf` returns the owner field of that record, or null if `ownerField` contains a user ID.
 */
export function isOwnedBy(
  cls: RecordClass,
  ownerField: string,
  user: SqlExpression,
  row: RowReference,
  ownerFieldOf: (target: RecordClass) => string | null,
): SqlExpression {
  const { column, field } = columnOf(metaOf(cls), ownerField);
  const target = field.ref?.target();
  const nextOwnerField = target ? ownerFieldOf(target) : null;
  if (!target || nextOwnerField === null) return expression`${row.column(column)} = ${user}`;
  const targetRow = row.for(`${row.alias}_${column}`);
  const isTargetOwned = isOwnedBy(target, nextOwnerField, user, targetRow, ownerFieldOf);
  const table = tableNamed(optionsOf(target).table);
  return expression`exists (select from ${table} as ${targetRow} where ${targetRow}.id = ${row.column(column)} and ${isTargetOwned})`;
}

/** Returns the SQL condition that the user owns the row, given the owner field of the record. */
export const isOwnRow = (cls: RecordClass, ownerField: string, user: SqlExpression, row: RowReference): SqlExpression =>
  isOwnedBy(cls, ownerField, user, row, (target) =>
    ownerField === optionsOf(cls).ownerField ? (optionsOf(target).ownerField ?? null) : null,
  );

/** Returns the policies that let a caller see the rows of all owners. */
export const readAllPolicies = (cls: RecordClass): readonly Policy[] => optionsOf(cls).readAll ?? [platform];

/** Whether the caller sees only the rows that the signed-in user owns. */
export const seesOnlyOwnRows = (cls: RecordClass, caller: Caller): boolean =>
  optionsOf(cls).ownerField !== undefined && !readAllPolicies(cls).some((policy) => policy.permitsCaller(caller));

/** Returns the SQL condition for rows that the caller can see. Null if the caller can see all rows. */
export function visibleRows(cls: RecordClass, caller: Caller, row: RowReference): SqlExpression | null {
  const { ownerField, visibleCondition } = optionsOf(cls);
  if (!ownerField) return visibleCondition?.(caller, row) ?? null;
  return seesOnlyOwnRows(cls, caller) ? isOwnRow(cls, ownerField, parameter(caller.user?.id ?? ''), row) : null;
}
