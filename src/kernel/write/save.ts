import { uuidv7 } from 'uuidv7';
import { mayUnlock } from '../declare/caller.js';
import type { Context } from '../declare/context.js';
import { fail, reject } from '../declare/errors.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Values } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import type { RowOf } from '../declare/row-of.js';
import type { WriteTerms } from '../declare/writers.js';
import { type Keys, selectionFor } from '../read/selection.js';
import { violatedConstraint } from '../session.js';
import { collect, type Statement } from '../statement.js';
import { Again, valuesOfLeft } from './again.js';
import { followed } from './followed.js';
import { isKept, reportedByUser, valuesFor } from './given-values.js';
import { forDatabase } from './input-values.js';
import { checkOwnWrite, hasOwnerRules, holdToOwner } from './own-row.js';
import {
  deleteByStatement,
  deleteStatement,
  insertStatement,
  repeatedStatement,
  updateStatement,
  upsertStatement,
  type Write,
  type WriteStatement,
} from './statements.js';
import { locked, notTheirs, unwritten, writable } from './writable.js';

/** What to do if the row already exists. */
type Conflict = 'fail' | 'update';

const attempts = 5;

/** Column of a unique constraint, for messages: `sponsor_image_pkey` → `id`, `tournament_code_unique` → `code`. */
const sharedBy = (constraint: string, table: string): string =>
  constraint.replace(`${table}_`, '').replace(/_?(pkey|unique)$/, '') || 'id';

/** Throws CONFLICT for a violated unique constraint. Rethrows other errors. */
export function refuseSame(cls: RecordClass, error: unknown): never {
  const { one, table } = optionsOf(cls);
  const constraint = violatedConstraint(error);
  if (constraint === null) throw error;
  return fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
}

/** Whether an insert can violate a unique constraint other than that of the ID. */
const mayCollide = (cls: RecordClass): boolean =>
  optionsOf(cls).onInsert !== undefined || [...metaOf(cls).fields.values()].some(({ unique }) => unique);

/** Runs a statement that may violate a constraint. In a transaction, uses a savepoint, because an error would abort the transaction. */
const attempted = <T>({ sql }: Context, mayFail: boolean, work: () => Promise<T>): Promise<T> =>
  sql.isInTransaction && mayFail ? sql.transaction(work) : work();

/** A write of one row. */
interface Task {
  readonly cls: RecordClass;
  readonly values: Values;
  readonly target: readonly string[];
  readonly returning: Keys;
  readonly terms: WriteTerms;
  /** The caller may unlock a locked row. */
  readonly unlocks: boolean;
}

/** Describes a write of `all` values. An existing row gets only the values of the task. `row` is its alias in SQL, or empty. */
function writeOf({ cls, target, returning, terms, values, unlocks }: Task, all: Values, row: string) {
  const keys = Object.keys(all);
  const params = forDatabase(metaOf(cls), keys, all);
  const conditions = row ? writable(cls, terms, collect(params), unlocks ? values : {}, row) : [];
  const patched = Object.keys(values).filter((key) => key !== 'id' && !target.includes(key));
  const write: Write = { cls, keys, patched, target, conditions, count: params.length, returning: selectionFor(cls, returning) };
  return { write, params };
}

/** Runs a write. Returns its row, or undefined if it wrote none. Writes with the same `same` values are repetitions. */
async function run(
  { sql }: Context,
  { statement, again, whole }: WriteStatement,
  values: readonly unknown[],
  same: readonly unknown[] | null = values,
): Promise<Row | undefined> {
  const before = again && same && new Again(sql.pools, again, same);
  const left = before?.left;
  let [row] = left ? await sql.statement(again as Statement, [...values, ...valuesOfLeft(left)]) : [];
  if (left) before?.tell(row !== undefined);
  if (!row) [row] = await sql.statement(statement, values);
  // Not in a transaction: a later write in it could change the row without changing `xmin`.
  if (!sql.isInTransaction) before?.leaves(row);
  return row && whole(row, values);
}

async function patch(context: Context, task: Task): Promise<Row | undefined> {
  const { write, params } = writeOf(task, task.values, 'r');
  return run(context, updateStatement(write), params);
}

/** Returns the row if it is locked and the write repeats its values. Undefined if the write would change it. */
async function repeated({ sql }: Context, task: Task): Promise<Row | undefined> {
  const { cls, values, target, terms } = task;
  if (!optionsOf(cls).lock || terms.ifVersion) return undefined;
  const isCompared = (key: string) => target.includes(key) || !columnOf(metaOf(cls), key).field.readOnly;
  const compared = Object.fromEntries(Object.entries(values).filter(([key]) => isCompared(key)));
  const { write, params } = writeOf(task, compared, '');
  const [row] = await sql.statement(repeatedStatement(write), params);
  return row;
}

async function insert(context: Context, task: Task, once: Values, conflict: Conflict): Promise<Row | undefined> {
  const { write, params } = writeOf(task, { ...task.values, ...once }, conflict === 'update' ? optionsOf(task.cls).table : '');
  const given = Object.keys(task.values).length;
  const isNamed = task.target.every((key) => task.values[key] !== undefined);
  const same = isNamed ? [...params.slice(0, given), ...params.slice(write.keys.length)] : null;
  return run(context, (conflict === 'update' ? upsertStatement : insertStatement)(write), params, same);
}

/**
 * Creates a row. With `update`, updates an existing row with the same ID or natural key instead. One statement does both, so that concurrent
 * upserts with one ID result in one row. Calls `onInsert` only for new rows, and again if another row already has one of its unique values.
 */
async function write<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  input: Values,
  conflict: Conflict,
  returning: Keys<K>,
  set: Values,
  terms: WriteTerms,
): Promise<RowOf<T, K>> {
  const { ifVersion = null } = terms;
  const { key, onInsert, onSave, one, table } = optionsOf(cls);
  const kind = conflict === 'fail' ? 'create' : 'upsert';
  const given = valuesFor(context, cls, input, set, kind);
  context.sql.usePrimary();
  const held = terms.held ? await holdToOwner(context, cls, given, terms.held, true) : null;
  const mode = held?.userId === terms.held?.userId ? conflict : 'fail';
  const target = given.id === undefined && key?.every((part) => given[part] !== undefined && given[part] !== null) ? key : ['id'];
  const values = onSave ? await onSave(given, context, kind) : given;
  const isByOwner = held !== null && hasOwnerRules(cls);
  // If another request inserts the row after the owner rules were checked, the write fails and is retried with these rules.
  const onConflict = isByOwner ? 'fail' : mode;
  const task: Task = { cls, values, target, returning, terms: { ...terms, held }, unlocks: mayUnlock(context.caller) };
  if (ifVersion !== null && typeof values.id !== 'string') reject('ifVersion', 'no version, because the input has no id');
  const follow = (work: () => Promise<Row | undefined>) =>
    followed(context, cls, values.id, values, () => attempted(context, isByOwner || mayCollide(cls), work));
  for (let attempt = 1; ; attempt++) {
    let once: Values = {};
    try {
      const isChecked = held && mode === 'update' ? await checkOwnWrite(context, cls, values, held, input) : false;
      const isNamed =
        mode === 'update' && (onInsert || isByOwner || ifVersion !== null) && target.every((part) => values[part] !== undefined);
      const there = isNamed && (isChecked || !isByOwner) ? await follow(() => patch(context, task)) : undefined;
      if (!there && ifVersion !== null) return await unwritten(context, cls, String(values.id), terms);
      if (!there) once = await onceOf(context, task, attempt);
      const written = there ?? (await follow(() => insert(context, task, once, onConflict)));
      const row = written ?? (await repeated(context, task));
      context.loaders.clear();
      return (row as RowOf<T, K> | undefined) ?? (held ? notTheirs(one) : locked(one));
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === null) throw error;
      const isMadeAnew = Object.keys(once).some(
        (part) => part !== 'id' && constraint.includes(columnOf(metaOf(cls), part).column),
      );
      const isThereNow = onConflict !== conflict && sharedBy(constraint, table) === 'id';
      if (attempt === attempts || !(isMadeAnew || isThereNow))
        fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
    }
  }
}

/** Values that are set only when a row is created. The owner defaults to the user of the request. */
async function onceOf(context: Context, { cls, values, terms }: Task, attempt: number): Promise<Values> {
  const { onInsert, onOwnerInsert, write } = optionsOf(cls);
  const { owner = 'id' } = write;
  const { user } = context.caller;
  return {
    ...(user && owner !== 'id' && values[owner] === undefined ? { [owner]: user.id } : {}),
    ...(values.id === undefined ? { id: uuidv7() } : {}),
    ...(isKept(metaOf(cls)) ? { createdBy: values.updatedBy, createdById: values.updatedById } : {}),
    ...reportedByUser(context.caller, metaOf(cls), 'created'),
    // A rule can set another creator than the caller.
    ...(values.createdById === undefined ? {} : { createdById: values.createdById }),
    ...(await onInsert?.(values, context, attempt)),
    ...(terms.held ? await onOwnerInsert?.(values, context) : {}),
  };
}

/** Runs a write in a transaction if the caller writes as an owner and the record has owner rules, because these read and lock rows first. */
const withOwnerRules = <T>({ sql }: Context, cls: RecordClass, { held }: WriteTerms, work: () => Promise<T>): Promise<T> =>
  held && hasOwnerRules(cls) ? sql.transaction(work) : work();

/** Creates a row. CONFLICT if the ID is taken. `set` are values that the service sets, or that have their own arguments. */
export const create = <T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  input: Values,
  returning: Keys<K>,
  set: Values = {},
  terms: WriteTerms = {},
): Promise<RowOf<T, K>> => withOwnerRules(context, cls, terms, () => write(context, cls, input, 'fail', returning, set, terms));

/**
 * Creates a row, or updates the one with the same ID or, without an ID, natural key. Omitted fields keep their values. With `ifVersion`, the
 * row must exist.
 */
export const upsert = <T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  input: Values,
  returning: Keys<K>,
  set: Values = {},
  terms: WriteTerms = {},
): Promise<RowOf<T, K>> => withOwnerRules(context, cls, terms, () => write(context, cls, input, 'update', returning, set, terms));

/** Updates the row with an ID. NOT_FOUND if it does not exist, CONFLICT if it is locked, BAD_INPUT if the input has another ID. */
export const update = <T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  id: string,
  input: Values,
  returning: Keys<K>,
  set: Values = {},
  terms: WriteTerms = {},
): Promise<RowOf<T, K>> => withOwnerRules(context, cls, terms, () => patchById(context, cls, id, input, returning, set, terms));

async function patchById<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  id: string,
  input: Values,
  returning: Keys<K>,
  set: Values,
  terms: WriteTerms,
): Promise<RowOf<T, K>> {
  const { onSave } = optionsOf(cls);
  const { id: _, ...given } = valuesFor(context, cls, input, set, 'update', id);
  context.sql.usePrimary();
  if (terms.held) await holdToOwner(context, cls, given, terms.held, false);
  const values = { ...(onSave ? await onSave({ ...given, id }, context, 'update') : given), id };
  if (terms.held) await checkOwnWrite(context, cls, values, terms.held, input);
  try {
    const task: Task = { cls, values, target: ['id'], returning, terms, unlocks: mayUnlock(context.caller) };
    const patched = await followed(context, cls, id, values, () =>
      attempted(context, mayCollide(cls), () => patch(context, task)),
    );
    const row = patched ?? (await repeated(context, task));
    context.loaders.clear();
    return (row as RowOf<T, K> | undefined) ?? (await unwritten(context, cls, id, terms));
  } catch (error) {
    return refuseSame(cls, error);
  }
}

/** Deletes the row with an ID and returns it. NOT_FOUND if it does not exist, CONFLICT if it is locked. */
export async function remove<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  id: string,
  returning: Keys<K>,
  terms: WriteTerms = {},
): Promise<RowOf<T, K>> {
  const params: unknown[] = [id];
  const conditions = writable(cls, terms, collect(params));
  context.sql.usePrimary();
  const [row] = await context.sql.statement(deleteStatement(cls, conditions, selectionFor(cls, returning)), params);
  context.loaders.clear();
  return (row as RowOf<T, K> | undefined) ?? unwritten(context, cls, id, terms);
}

/** Deletes all rows with a value in a column, and returns them. */
export async function removeBy<T extends object, K extends string>(
  context: Context,
  cls: RecordClass<T>,
  by: string,
  key: string,
  returning: Keys<K>,
): Promise<RowOf<T, K>[]> {
  if (!key) reject(by, 'an id');
  context.sql.usePrimary();
  const rows = await context.sql.statement(deleteByStatement(cls, by, selectionFor(cls, returning)), [key]);
  context.loaders.clear();
  return rows as RowOf<T, K>[];
}
