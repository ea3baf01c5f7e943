import { storable } from '../declare/errors.js';
import { rulesOfInput } from '../declare/input-rules.js';
import { instantForm, normalizeInstant } from '../declare/instant.js';
import { columnOf, columnsOf, type FieldMeta, groupOf, metaOf, type RecordMeta, type Shown } from '../declare/meta.js';
import type { Values, WriteKind } from '../declare/options.js';
import { Problems } from '../declare/problems.js';
import { legacyField, legacyOf, legacyPath } from '../declare/shown.js';
import { unset } from '../declare/stored-fields.js';
import { isLongerThan } from '../declare/text-length.js';
import { metaOfInput } from './input.js';

/** Adds a problem if a text has the wrong format, cannot be stored (NUL, lone surrogates), or is too long. */
function checkText(text: unknown, { max, form }: Pick<FieldMeta, 'max' | 'form'>, path: string, problems: Problems): void {
  if (typeof text !== 'string') return;
  if (form && !form.fits(text)) problems.add(path, form.expected);
  else if (text.includes('\0')) problems.add(path, storable);
  else if (!text.isWellFormed()) problems.add(path, 'well-formed Unicode text');
  else if (isLongerThan(text, max)) problems.add(path, `at most ${max} characters`);
}

const ofText: ReadonlySet<string> = new Set(['text', 'id', 'ref']);

/** Converts a value to its stored form. Adds problems of the value, its items and its fields. */
function checked(field: FieldMeta, given: unknown, path: string, problems: Problems): unknown {
  if (given === null) return unset(field);
  if (field.kind === 'id' && given === '') problems.add(path, `an id of 1 to ${field.max} characters`);
  if (field.kind === 'json') return checkedJson(field, given, path, problems);
  if (field.kind === 'instant') {
    const text = typeof given === 'string' ? normalizeInstant(given) : null;
    if (text === null) problems.add(path, instantForm);
    return text;
  }
  if (field.kind === 'list' && Array.isArray(given)) {
    const [most = Number.POSITIVE_INFINITY, items] = field.most ?? [];
    if (given.length > most) problems.add(path, `at most ${most} ${items}`);
    for (const [index, item] of given.entries()) checkText(item, field, `${path}[${index}]`, problems);
  }
  if (ofText.has(field.kind)) checkText(given, field, path, problems);
  if (field.range && typeof given === 'number' && (given < field.range[0] || given > field.range[1])) {
    problems.add(path, `a number from ${field.range[0]} to ${field.range[1]}`);
  }
  return given;
}

/** Converts a value in the form of the graph to its stored form. */
function kept({ keep, expected }: Shown, given: unknown, path: string, problems: Problems): unknown {
  const value = keep(given);
  if (value === undefined) problems.add(path, expected);
  return value;
}

const isValues = (given: unknown): given is Values => typeof given === 'object' && given !== null;

/** Checks a JSON value: lists of a declared class by field, other JSON only by the texts in it. */
function checkedJson({ group, mergedBy }: FieldMeta, given: unknown, path: string, problems: Problems): unknown {
  const inner = group?.();
  if (!Array.isArray(inner) || !Array.isArray(given)) {
    checkDocument(given, path, problems);
    return given;
  }
  const meta = metaOf(inner[0]);
  return given.map((item, index) => {
    const here = `${path}[${index}].`;
    const values = isValues(item) ? collected(meta, item, here, problems) : {};
    if (mergedBy && values[mergedBy] === undefined) problems.add(here + mergedBy, 'a value');
    return values;
  });
}

function checkDocument(node: unknown, path: string, problems: Problems): void {
  if (typeof node === 'string') checkText(node, { max: 10_000 }, path, problems);
  else if (Array.isArray(node)) for (const [index, item] of node.entries()) checkDocument(item, `${path}[${index}]`, problems);
  else if (isValues(node)) for (const [key, item] of Object.entries(node)) checkDocument(item, `${path}.${key}`, problems);
}

/** Whether null does not change the field: IDs, creation times and fields with `isLasting` cannot be cleared. */
const isLeft = (field: FieldMeta, given: unknown): boolean =>
  field.isLasting ? given === null || given === '' : given === null && field.required && unset(field) === null;

/** A field of an input. */
interface Taken {
  readonly field: FieldMeta;
  readonly name: string;
  /** The field of `legacy` for the same column. */
  readonly stored: FieldMeta | null;
}

const takenOf = new WeakMap<RecordMeta, readonly Taken[]>();

function fieldsTaken(meta: RecordMeta): readonly Taken[] {
  const known = takenOf.get(meta);
  if (known) return known;
  const fields = [...meta.fields.values()].map((field): Taken => ({ field, name: field.name, stored: legacyOf(field) }));
  takenOf.set(meta, fields);
  return fields;
}

const none: Values = {};

/** The values in the field `legacy` of an input. */
export const legacyIn = (input: Values): Values => {
  const given = input[legacyField];
  return isValues(given) ? given : none;
};

function collected(meta: RecordMeta, input: Values, path: string, problems: Problems): Values {
  const values: Values = {};
  const legacy = legacyIn(input);
  for (const { field, name, stored } of fieldsTaken(meta)) {
    const given = input[name];
    const sent = stored ? legacy[stored.name] : undefined;
    if (stored && sent !== undefined) {
      const there = legacyPath(path, stored.name);
      values[name] = checked(stored, sent, there, problems);
      if (given !== undefined) problems.add(there, `nothing beside ${path}${name}`);
      continue;
    }
    if (given === undefined) continue;
    const here = path + name;
    if (field.shown) values[field.name] = given === null ? unset(field) : kept(field.shown, given, here, problems);
    else if (field.kind === 'group') {
      const inner = groupOf(field);
      const nested = isValues(given) ? given : Object.fromEntries([...inner.fields.keys()].map((key) => [key, null]));
      for (const [key, item] of Object.entries(collected(inner, nested, `${here}.`, problems))) {
        // Columns with a default are never null.
        if (item !== null || !field.defaults?.[key]) values[`${field.name}.${key}`] = item;
      }
    } else if (!isLeft(field, given)) values[field.name] = checked(field, given, here, problems);
  }
  return values;
}

/** Converts the values of an input to stored values, for rules that check them before the write. */
export function asKept(meta: RecordMeta, input: Values): Values {
  const { [legacyField]: _, ...values } = input;
  const legacy = legacyIn(input);
  for (const { field, stored } of fieldsTaken(meta)) {
    if (stored && legacy[stored.name] !== undefined) values[field.name] = legacy[stored.name];
    else if (field.shown && input[field.name] !== undefined && input[field.name] !== null)
      values[field.name] = field.shown.keep(input[field.name]);
  }
  return values;
}

/**
 * Converts an input to column values by key, and null to the value of an unset column. Adds problems for invalid values. With `write`, also adds
 * those of the record's `check`, which gets the values in `set`, too. `path` is the prefix of the field names.
 */
export function valuesIn(
  meta: RecordMeta,
  input: Values,
  problems: Problems,
  { path = 'input.', write, set = {} }: { path?: string; write?: WriteKind; set?: Values } = {},
): Values {
  const values = collected(meta, input, path, problems);
  if (write) problems.try(() => meta.options?.check?.({ ...values, ...set }, write));
  return values;
}

/** Like `valuesIn`, but throws BAD_INPUT with all problems. */
export function valuesOf(meta: RecordMeta, input: Values, path?: string, write?: WriteKind): Values {
  const problems = new Problems();
  const values = valuesIn(meta, input, problems, { path, write });
  problems.refuse();
  return values;
}

/** Removes lists with invalid items. Their problems are already reported, and rules expect complete lists. */
const withoutHoles = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => !(Array.isArray(value) && value.includes(undefined))));

/** Adds the problems of an input that can be detected without the database. */
export function checkInput(type: string, given: unknown, path: string, problems: Problems, write?: WriteKind): void {
  if (!isValues(given)) return;
  const meta = metaOfInput(type);
  if (meta) valuesIn(meta, given, problems, { path: `${path}.`, write });
  problems.try(() => rulesOfInput(type)?.check(withoutHoles(given), `${path}.`));
}

/**
 * Checks values that a rule sets, by column key. They are checked like an input, because some come from the client, such as a user ID in an
 * argument. Such an argument has the name of the column, for error messages.
 */
export function columnsIn(meta: RecordMeta, values: Values, problems: Problems): Values {
  const set: Values = {};
  for (const [key, given] of Object.entries(values)) {
    if (given !== undefined) set[key] = checked(columnOf(meta, key).field, given, key, problems);
  }
  return set;
}

/** Like `columnsIn`, but throws BAD_INPUT with all problems. */
export function checkedColumns(meta: RecordMeta, values: Values): Values {
  const problems = new Problems();
  const set = columnsIn(meta, values, problems);
  problems.refuse();
  return set;
}

const documents = new WeakMap<RecordMeta, ReadonlySet<string>>();

/** Keys of the JSON columns. */
function documentsOf(meta: RecordMeta): ReadonlySet<string> {
  const known = documents.get(meta);
  if (known) return known;
  const keys = new Set([...columnsOf(meta).values()].filter(({ field }) => field.kind === 'json').map(({ key }) => key));
  documents.set(meta, keys);
  return keys;
}

/** Converts values to parameters for the database driver. JSON is serialized. */
export function forDatabase(meta: RecordMeta, keys: readonly string[], values: Values): unknown[] {
  const inJson = documentsOf(meta);
  return keys.map((key) => (inJson.has(key) && values[key] !== null ? JSON.stringify(values[key]) : values[key]));
}
