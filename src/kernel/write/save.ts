import { uuidv7 } from 'uuidv7';
import type { Context } from '../declare/context.js';
import { fail, reject } from '../declare/errors.js';
import { expression, mainRow, parameter, RowReference } from '../declare/expression.js';
import type { Values } from '../declare/fields/options.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { canUnlockRecords } from '../declare/policy/caller.js';
import type { WriteRequirements } from '../declare/policy/writers.js';
import { optionsOf } from '../declare/record.js';
import type { Row, RowOf } from '../declare/row.js';
import { type SelectionOrKeys, selectionFor } from '../read/selection.js';
import { violatedConstraint } from '../session.js';
import type { Statement } from '../statement.js';
import { runWithChangeHooks } from './change-hooks.js';
import { isTracked, valuesReportedByUser, writeValuesOf } from './column-values.js';
import { driverValues } from './input-values.js';
import { checkOwnWrite, hasOwnerRules, restrictToOwner } from './owner-rules.js';
import { RepeatedWrite, versionValues } from './repeated-writes.js';
import {
  deleteStatement,
  insertStatement,
  keyShape,
  selectUnchangedRowStatement,
  updateStatement,
  upsertStatement,
  type Write,
  type WriteStatement,
} from './statements.js';
import { rejectLockedRow, rejectNonOwner, rejectUnwrittenRow, writeConditions } from './write-conditions.js';

/** Action if the row already exists. */
type ConflictAction = 'fail' | 'update';

const maxAttempts = 5;

/** Returns the column that a unique constraint covers, for messages: `code` for `tournament_code_unique`. */
const constraintColumn = (constraint: string, table: string): string =>
  constraint.replace(`${table}_`, '').replace(/_?(pkey|unique)$/, '') || 'id';

/** Throws CONFLICT for a violated unique constraint. Rethrows other errors. */
export function failOnDuplicate(cls: RecordClass, error: unknown): never {
  const { one, table } = optionsOf(cls);
  const constraint = violatedConstraint(error);
  if (constraint === null) throw error;
  return fail('CONFLICT', `another ${one} has the same ${constraintColumn(constraint, table)}`);
}

/** Whether an insert into the table of the record can violate a unique constraint other than the primary key. */
const canCollide = (cls: RecordClass): boolean =>
  optionsOf(cls).onInsert !== undefined || [...metaOf(cls).fields.values()].some(({ unique }) => unique);

/** Runs a statement that may violate a constraint. In a transaction, it runs in a savepoint, because an error would abort the transaction. */
const withSavepoint = <T>({ sql }: Context, mayFail: boolean, work: () => Promise<T>): Promise<T> =>
  sql.isInTransaction && mayFail ? sql.transaction(work) : work();

/** Describes the write of one row. */
interface WriteTask {
  readonly cls: RecordClass;
  readonly values: Values;
  readonly target: readonly string[];
  readonly returning: SelectionOrKeys;
  readonly requirements: WriteRequirements;
  /** Whether the caller may unlock a locked row. */
  readonly canUnlockRow: boolean;
}

/**
 * Returns the write that stores `allValues`, and its parameters. If the row already exists, only the task's own values are written. If
 * `row` is null, the write has no conditions on an existing row.
 */
function describeWrite(
  { cls, target, returning, requirements, values, canUnlockRow }: WriteTask,
  allValues: Values,
  row: RowReference | null,
) {
  const keys = Object.keys(allValues);
  const conditions = row ? writeConditions(cls, requirements, canUnlockRow ? values : {}, row) : [];
  const shape = keyShape(keys).add(conditions);
  const params = [...driverValues(metaOf(cls), keys, allValues), ...shape.values];
  const patchKeys = Object.keys(values).filter((key) => key !== 'id' && !target.includes(key));
  const write: Write = {
    cls,
    keys,
    patchKeys,
    target,
    conditions,
    conditionKey: shape.key,
    count: params.length,
    returning: selectionFor(cls, returning),
  };
  return { write, params };
}

/**
 * Runs a write. Returns the written row, or undefined if no row was written. Writes with the same statement and `identity` are repetitions.
 */
async function runWrite(
  { sql }: Context,
  { statement, repeatStatement, completeRow }: WriteStatement,
  values: readonly unknown[],
  identity: readonly unknown[] | null = values,
): Promise<Row | undefined> {
  const repeatedWrite = repeatStatement && identity && new RepeatedWrite(sql.pools, repeatStatement, identity);
  const expectedVersion = repeatedWrite?.expectedVersion;
  let [row] = expectedVersion
    ? await sql.statement(repeatStatement as Statement, [...values, ...versionValues(expectedVersion)])
    : [];
  if (expectedVersion) repeatedWrite?.recordLookup(row !== undefined);
  if (!row) [row] = await sql.statement(statement, values);
  // Versions are not cached in a transaction, because a later write in it could change the row without changing `xmin`.
  if (!sql.isInTransaction) repeatedWrite?.cacheVersion(row);
  return row && completeRow(row, values);
}

async function patch(context: Context, task: WriteTask): Promise<Row | undefined> {
  const { write, params } = describeWrite(task, task.values, mainRow);
  return runWrite(context, updateStatement(write), params);
}

/** Returns the row if its record has a lock and the write repeats the values of the row. Undefined if the write would change the row. */
async function lockedUnchangedRow({ sql }: Context, task: WriteTask): Promise<Row | undefined> {
  const { cls, values, target, requirements } = task;
  if (!optionsOf(cls).lock || requirements.ifVersion) return undefined;
  const isCompared = (key: string) => target.includes(key) || !columnOf(metaOf(cls), key).field.readOnly;
  const comparedValues = Object.fromEntries(Object.entries(values).filter(([key]) => isCompared(key)));
  const { write, params } = describeWrite(task, comparedValues, null);
  const [row] = await sql.statement(selectUnchangedRowStatement(write), params);
  return row;
}

async function insert(
  context: Context,
  task: WriteTask,
  creationValues: Values,
  conflict: ConflictAction,
): Promise<Row | undefined> {
  const { write, params } = describeWrite(
    task,
    { ...task.values, ...creationValues },
    conflict === 'update' ? new RowReference(optionsOf(task.cls).table) : null,
  );
  const valueCount = Object.keys(task.values).length;
  const hasTarget = task.target.every((key) => task.values[key] !== undefined);
  const identity = hasTarget ? [...params.slice(0, valueCount), ...params.slice(write.keys.length)] : null;
  return runWrite(context, (conflict === 'update' ? upsertStatement : insertStatement)(write), params, identity);
}

/**
 * Creates a row. If `conflict` is `update`, updates an existing row with the same ID or natural key instead. One statement does both,
 * because concurrent upserts with one ID must result in one row. Calls `onInsert` only for new rows. Calls it again if another row already
 * has one of the unique values.
 */
async function write<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  input: Values,
  conflict: ConflictAction,
  returning: SelectionOrKeys<K>,
  serviceValues: Values,
  requirements: WriteRequirements,
): Promise<RowOf<T, K>> {
  const { ifVersion = null } = requirements;
  const { key, onInsert, onSave, one, table } = optionsOf(cls);
  const kind = conflict === 'fail' ? 'create' : 'upsert';
  const inputValues = await writeValuesOf(context, cls, input, serviceValues, kind);
  context.sql.usePrimary();
  const ownerRestriction = requirements.ownerRestriction
    ? await restrictToOwner(context, cls, inputValues, requirements.ownerRestriction, true)
    : null;
  const mode = ownerRestriction?.userId === requirements.ownerRestriction?.userId ? conflict : 'fail';
  const target =
    inputValues.id === undefined && key?.every((part) => inputValues[part] !== undefined && inputValues[part] !== null)
      ? key
      : ['id'];
  const values = onSave ? await onSave(inputValues, context, kind) : inputValues;
  const isByOwner = ownerRestriction !== null && hasOwnerRules(cls);
  // If another request inserts the row after the owner rules have been checked, the write fails. It is retried after another check.
  const onConflict = isByOwner ? 'fail' : mode;
  const task: WriteTask = {
    cls,
    values,
    target,
    returning,
    requirements: { ...requirements, ownerRestriction },
    canUnlockRow: canUnlockRecords(context.caller),
  };
  if (ifVersion !== null && typeof values.id !== 'string') reject('ifVersion', 'no version, because the input has no ID');
  const writeWithHooks = (work: () => Promise<Row | undefined>) =>
    runWithChangeHooks(context, cls, values.id, values, () => withSavepoint(context, isByOwner || canCollide(cls), work));
  for (let attempt = 1; ; attempt++) {
    let creationValues: Values = {};
    try {
      const isChecked =
        ownerRestriction && mode === 'update' ? await checkOwnWrite(context, cls, values, ownerRestriction, input) : false;
      const hasTarget =
        mode === 'update' && (onInsert || isByOwner || ifVersion !== null) && target.every((part) => values[part] !== undefined);
      const updatedRow = hasTarget && (isChecked || !isByOwner) ? await writeWithHooks(() => patch(context, task)) : undefined;
      if (!updatedRow && ifVersion !== null) return await rejectUnwrittenRow(context, cls, String(values.id), requirements);
      if (!updatedRow) creationValues = await creationValuesOf(context, task, attempt);
      const writtenRow = updatedRow ?? (await writeWithHooks(() => insert(context, task, creationValues, onConflict)));
      const row = writtenRow ?? (await lockedUnchangedRow(context, task));
      context.loaders.clear();
      return (row as RowOf<T, K> | undefined) ?? (ownerRestriction ? rejectNonOwner(one) : rejectLockedRow(one));
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === null) throw error;
      const isRegenerated = Object.keys(creationValues).some(
        (part) => part !== 'id' && constraint.includes(columnOf(metaOf(cls), part).column),
      );
      const isIdTaken = onConflict !== conflict && constraintColumn(constraint, table) === 'id';
      if (attempt === maxAttempts || !(isRegenerated || isIdTaken))
        fail('CONFLICT', `another ${one} has the same ${constraintColumn(constraint, table)}`);
    }
  }
}

/** Returns the values that are set only when a row is created. The default owner is the signed-in user. */
async function creationValuesOf(context: Context, { cls, values, requirements }: WriteTask, attempt: number): Promise<Values> {
  const { onInsert, onOwnerInsert, write } = optionsOf(cls);
  const { owner = 'id' } = write;
  const { user } = context.caller;
  return {
    ...(user && owner !== 'id' && values[owner] === undefined ? { [owner]: user.id } : {}),
    ...(values.id === undefined ? { id: uuidv7() } : {}),
    ...(isTracked(metaOf(cls)) ? { createdBy: values.updatedBy, createdById: values.updatedById } : {}),
    ...valuesReportedByUser(context.caller, metaOf(cls), 'created', values['reported.updatedAt']),
    // The rules of a record can set a creator other than the caller.
    ...(values.createdById === undefined ? {} : { createdById: values.createdById }),
    ...(await onInsert?.(values, context, attempt)),
    ...(requirements.ownerRestriction ? await onOwnerInsert?.(values, context) : {}),
  };
}

/** Runs a write. If owner rules apply, runs it in a transaction, because they lock the row before the write. */
const withOwnerRules = <T>(
  { sql }: Context,
  cls: RecordClass,
  { ownerRestriction }: WriteRequirements,
  work: () => Promise<T>,
): Promise<T> => (ownerRestriction && hasOwnerRules(cls) ? sql.transaction(work) : work());

const writer =
  (conflict: ConflictAction) =>
  <T extends object, K extends string>(
    context: Context,
    cls: RecordClass<T>,
    input: Values,
    returning: SelectionOrKeys<K>,
    serviceValues: Values = {},
    requirements: WriteRequirements = {},
  ): Promise<RowOf<T, K>> =>
    withOwnerRules(context, cls, requirements, () =>
      write(context, cls, input, conflict, returning, serviceValues, requirements),
    );

/** Creates a row. Throws CONFLICT if the ID is taken. `serviceValues` are values that the service sets, or that have separate arguments. */
export const create = writer('fail');

/**
 * Creates a row, or updates the row with the same ID. Without an ID, updates the row with the same natural key. Omitted fields keep their
 * values. With `ifVersion`, the row must exist.
 */
export const upsert = writer('update');

/**
 * Updates the row with the given ID. Throws NOT_FOUND if it does not exist, CONFLICT if it is locked, and BAD_INPUT if the input contains a
 * different ID.
 */
export const update = <T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  id: string,
  input: Values,
  returning: SelectionOrKeys<K>,
  serviceValues: Values = {},
  requirements: WriteRequirements = {},
): Promise<RowOf<T, K>> =>
  withOwnerRules(context, cls, requirements, async () => {
    const { onSave } = optionsOf(cls);
    const { id: _, ...inputValues } = await writeValuesOf(context, cls, input, serviceValues, 'update', id);
    context.sql.usePrimary();
    if (requirements.ownerRestriction) await restrictToOwner(context, cls, inputValues, requirements.ownerRestriction, false);
    const values = { ...(onSave ? await onSave({ ...inputValues, id }, context, 'update') : inputValues), id };
    if (requirements.ownerRestriction) await checkOwnWrite(context, cls, values, requirements.ownerRestriction, input);
    try {
      const task: WriteTask = {
        cls,
        values,
        target: ['id'],
        returning,
        requirements,
        canUnlockRow: canUnlockRecords(context.caller),
      };
      const updatedRow = await runWithChangeHooks(context, cls, id, values, () =>
        withSavepoint(context, canCollide(cls), () => patch(context, task)),
      );
      const row = updatedRow ?? (await lockedUnchangedRow(context, task));
      context.loaders.clear();
      return (row as RowOf<T, K> | undefined) ?? (await rejectUnwrittenRow(context, cls, id, requirements));
    } catch (error) {
      return failOnDuplicate(cls, error);
    }
  });

/** Deletes the row with the given ID and returns it. Throws NOT_FOUND if it does not exist, and CONFLICT if it is locked. */
export async function remove<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  id: string,
  returning: SelectionOrKeys<K>,
  requirements: WriteRequirements = {},
): Promise<RowOf<T, K>> {
  const conditions = [expression`r.id = ${parameter(id)}`, ...writeConditions(cls, requirements)];
  context.sql.usePrimary();
  const [row] = await context.sql.statement(...deleteStatement(cls, conditions, selectionFor(cls, returning)));
  context.loaders.clear();
  return (row as RowOf<T, K> | undefined) ?? rejectUnwrittenRow(context, cls, id, requirements);
}

/** Deletes all rows that have the given value in a column and returns them. */
export async function removeBy<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  column: string,
  key: string,
  returning: SelectionOrKeys<K>,
): Promise<RowOf<T, K>[]> {
  if (!key) reject(column, 'an id');
  context.sql.usePrimary();
  const condition = expression`${mainRow.column(columnOf(metaOf(cls), column).column)} = ${parameter(key)}`;
  const rows = await context.sql.statement(...deleteStatement(cls, [condition], selectionFor(cls, returning)));
  context.loaders.clear();
  return rows as RowOf<T, K>[];
}
