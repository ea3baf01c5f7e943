import type { Context } from '../declare/context.js';
import { fail } from '../declare/errors.js';
import { legacyFieldOf, legacyPath } from '../declare/fields/legacy-fields.js';
import type { Values } from '../declare/fields/options.js';
import { columnOf, type FieldMeta, metaOf, type RecordClass } from '../declare/meta.js';
import type { OwnerRestriction } from '../declare/policy/writers.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { toWords } from '../declare/scalars/words.js';
import { placeholder, queryBuilder, statementOf } from '../statement.js';
import { legacyValuesIn } from './input-values.js';
import { columnsOfRow, rejectNonOwner } from './write-conditions.js';

const fixedFields = new WeakMap<RecordClass, readonly FieldMeta[]>();

function fixedFieldsOf(cls: RecordClass): readonly FieldMeta[] {
  const cached = fixedFields.get(cls);
  if (cached) return cached;
  const fields = [...metaOf(cls).fields.values()].filter(({ isReadOnlyForOwner }) => isReadOnlyForOwner);
  fixedFields.set(cls, fields);
  return fields;
}

/** Whether a record has rules for writes by the owners of its rows. Such writes run in a transaction. */
export const hasOwnerRules = (cls: RecordClass): boolean =>
  optionsOf(cls).onOwnerInsert !== undefined || fixedFieldsOf(cls).length > 0;

/** Reads and locks the row with the given ID: its owner, and the fields that owners cannot change. */
async function lockRow({ sql }: Context, cls: RecordClass, ownerColumn: string, id: string): Promise<Row | undefined> {
  const { table } = optionsOf(cls);
  const statement = statementOf(`own row ${cls.name} ${ownerColumn}`, () =>
    queryBuilder
      .selectFrom(`${table} as r`)
      .select(columnsOfRow(cls, [ownerColumn, ...fixedFieldsOf(cls).map(({ name }) => name)]))
      .where('r.id', '=', placeholder(1))
      .forUpdate(),
  );
  const [row] = await sql.statement(statement, [id]);
  return row;
}

/**
 * Sets the owner of a row, for a caller who can write only their own rows. Returns the restriction for the write. It permits rows of the
 * caller, or rows of another user if the caller can create a row for that user. Throws FORBIDDEN for all other users.
 */
export async function restrictToOwner(
  context: Context,
  cls: RecordClass,
  values: Values,
  restriction: OwnerRestriction,
  isCreate: boolean,
): Promise<OwnerRestriction> {
  const { column } = restriction;
  const owner = values[column];
  if (typeof owner !== 'string' || owner === '' || owner === restriction.userId) {
    // Owners cannot clear the column, because the row would have no owner.
    if (owner !== undefined || isCreate) values[column] = restriction.userId;
    return restriction;
  }
  const { createsForOther } = optionsOf(cls);
  const isNew = isCreate && (typeof values.id !== 'string' || !(await lockRow(context, cls, column, values.id)));
  if (isNew && (await createsForOther?.(values, context))) return { column, userId: owner };
  const field = `input.${column}`;
  return fail('FORBIDDEN', `${field}: only the id of the signed-in user`, { field });
}

/** Replaces empty text and 0, which the legacy interface sends for unset values, with null. */
const emptyToNull = (value: unknown): unknown => (value === '' || value === 0 ? null : (value ?? null));

/**
 * Locks a row that the caller writes as its owner. Returns whether the row exists. Throws FORBIDDEN if the row belongs to another user, or
 * if the write changes a field that owners cannot change.
 */
export async function checkOwnWrite(
  context: Context,
  cls: RecordClass,
  values: Values,
  { column, userId }: OwnerRestriction,
  input: Values,
): Promise<boolean> {
  if (typeof values.id !== 'string') return false;
  const { one } = optionsOf(cls);
  const row = await lockRow(context, cls, column, values.id);
  if (!row) return false;
  const meta = metaOf(cls);
  if (row[columnOf(meta, column).column] !== userId) rejectNonOwner(one);
  for (const field of fixedFieldsOf(cls)) {
    const value = values[field.name];
    if (value === undefined || emptyToNull(value) === emptyToNull(row[columnOf(meta, field.name).column])) continue;
    const legacyField = legacyFieldOf(field);
    const name =
      legacyField && legacyValuesIn(input)[legacyField.name] !== undefined
        ? legacyPath('input.', legacyField.name)
        : `input.${field.name}`;
    fail('FORBIDDEN', `${name}: the owner of the ${toWords(one)} cannot change it`, { field: name });
  }
  return true;
}
