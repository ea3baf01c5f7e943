import type { Context } from '../declare/context.js';
import { fail, reject } from '../declare/errors.js';
import type { Values, WriteKind } from '../declare/fields/options.js';
import { metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { type Caller, canReportHistory } from '../declare/policy/caller.js';
import { Problems } from '../declare/problems.js';
import { now } from '../declare/scalars/instant.js';
import type { Row } from '../session.js';
import { checkColumns, checkedColumns, valuesIn } from './input-values.js';
import { referenceProblems } from './references.js';

/**
 * Converts an input to column values. Adds `serviceValues` and the values of tracked columns. Throws FORBIDDEN for fields that the caller
 * may not set. If `id` is given, throws BAD_INPUT if the input contains a different ID.
 */
export async function writeValuesOf(
  context: Context,
  cls: RecordClass,
  input: Row,
  serviceValues: Values,
  write: WriteKind,
  id?: string,
): Promise<Values> {
  const { caller } = context;
  const meta = metaOf(cls);
  const { reported } = input;
  if (reported !== undefined && meta.fields.get('reported')?.isReported && !canReportHistory(caller))
    fail('FORBIDDEN', 'input.reported: only platforms and administrators can set it');
  const references = await referenceProblems(context, cls, input, id ?? input.id);
  const problems = new Problems();
  const inputValues = valuesIn(meta, input, problems, { write, serviceValues });
  problems.try(() => references.throwIfAny());
  if (id !== undefined) problems.try(() => checkSameId(input, id));
  const isSet = Object.keys(serviceValues).length > 0;
  // Skips values that are also in the input, because their problems are already reported.
  if (isSet)
    checkColumns(meta, Object.fromEntries(Object.entries(serviceValues).filter(([key]) => input[key] === undefined)), problems);
  problems.throwIfAny();
  const values: Values = isSet ? { ...inputValues, ...checkedColumns(meta, serviceValues) } : inputValues;
  if (isTracked(meta)) {
    values.updatedBy = callerName(caller);
    values.updatedById = caller.user?.id ?? null;
  }
  for (const { name, instantField } of userColumnsOf(meta))
    if (values[instantField] !== undefined) values[name] = values[instantField] === null ? null : (caller.user?.id ?? null);
  return { ...values, ...valuesReportedByUser(caller, meta, 'updated') };
}

/**
 * Returns the reported time and name for a write by a user without permission to set them (decision 59). Empty for all other callers. The
 * default time is the current time.
 */
export function valuesReportedByUser(caller: Caller, meta: RecordMeta, action: 'created' | 'updated', time?: unknown): Values {
  if (!caller.user || canReportHistory(caller) || !meta.fields.get('reported')?.isReported) return {};
  return { [`reported.${action}At`]: time ?? now(), [`reported.${action}By`]: callerName(caller) };
}

const userColumns = new Map<RecordMeta, { name: string; instantField: string }[]>();

/** Returns the columns that contain the user who set an instant. */
function userColumnsOf(meta: RecordMeta): { name: string; instantField: string }[] {
  const cachedColumns = userColumns.get(meta);
  if (cachedColumns) return cachedColumns;
  const columns = [...meta.fields.values()].flatMap(({ name, instantField }) => (instantField ? [{ name, instantField }] : []));
  userColumns.set(meta, columns);
  return columns;
}

/** Throws BAD_INPUT if the ID in the input differs from the argument `id`. */
export function checkSameId(input: Row, id: string): void {
  if ((input.id ?? id) !== id) reject('input.id', 'the same id as the argument, or none');
}

/** Whether a record extends `TrackedRecord`. */
export const isTracked = (meta: RecordMeta): boolean => meta.fields.has('updatedBy');

/** Returns the caller's name for `createdBy` and `updatedBy`: the name of the user, or else of the platform. */
export const callerName = ({ user, platform }: Caller): string | null => (user ? user.name : platform?.name) || null;
