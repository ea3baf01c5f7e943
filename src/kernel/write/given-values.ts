import { type Caller, mayReport } from '../declare/caller.js';
import type { Context } from '../declare/context.js';
import { fail, reject } from '../declare/errors.js';
import { now } from '../declare/instant.js';
import { metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import type { Values, WriteKind } from '../declare/options.js';
import { Problems } from '../declare/problems.js';
import type { Row } from '../session.js';
import { checkedColumns, columnsIn, valuesIn } from './input-values.js';

/**
 * The values of an input, with those that the server decides; FORBIDDEN for what the caller may not set. With the id of a row the input may
 * name no other one.
 */
export function valuesFor({ caller }: Context, cls: RecordClass, input: Row, set: Values, write: WriteKind, id?: string): Values {
  const meta = metaOf(cls);
  const { reported } = input;
  if (reported !== undefined && meta.fields.get('reported')?.isReported && !mayReport(caller))
    fail('FORBIDDEN', 'input.reported: only for platforms and admins');
  const problems = new Problems();
  const given = valuesIn(meta, input, problems, { write, set });
  if (id !== undefined) problems.try(() => checkSameId(input, id));
  const isSet = Object.keys(set).length > 0;
  // What rules make from a value of the input is wrong where that is, and would be told twice.
  if (isSet) columnsIn(meta, Object.fromEntries(Object.entries(set).filter(([key]) => input[key] === undefined)), problems);
  problems.refuse();
  const values: Values = isSet ? { ...given, ...checkedColumns(meta, set) } : given;
  if (isKept(meta)) {
    values.updatedBy = nameOf(caller);
    values.updatedById = caller.user?.id ?? null;
  }
  for (const { name, doneAt } of stampsOf(meta))
    if (values[doneAt] !== undefined) values[name] = values[doneAt] === null ? null : (caller.user?.id ?? null);
  return { ...values, ...reportedByUser(caller, meta, 'updated') };
}

/** The time and the name of a user who writes a record and cannot report them (decision 59). */
export function reportedByUser(caller: Caller, meta: RecordMeta, done: 'created' | 'updated'): Values {
  if (!caller.user || mayReport(caller) || !meta.fields.get('reported')?.isReported) return {};
  return { [`reported.${done}At`]: now(), [`reported.${done}By`]: nameOf(caller) };
}

const stamps = new Map<RecordMeta, { name: string; doneAt: string }[]>();

/** The columns with the user who set an instant. */
function stampsOf(meta: RecordMeta): { name: string; doneAt: string }[] {
  const known = stamps.get(meta);
  if (known) return known;
  const made = [...meta.fields.values()].flatMap(({ name, doneAt }) => (doneAt ? [{ name, doneAt }] : []));
  stamps.set(meta, made);
  return made;
}

/** An input may name the row that an argument names, and no other. */
export function checkSameId(input: Row, id: string): void {
  if ((input.id ?? id) !== id) reject('input.id', 'the id of the argument, or none');
}

/** Whether the service keeps who wrote a record, and when (`Kept`). */
export const isKept = (meta: RecordMeta): boolean => meta.fields.has('updatedBy');

/** The name under which the service keeps what a caller wrote. */
export const nameOf = ({ user, platform }: Caller): string | null => (user ? user.name : platform?.name) || null;
