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

/** A text that has not the form of its field, cannot be stored (a NUL, half of a surrogate pair) or is too long is a problem. */
function checkText(text: unknown, { max, form }: Pick<FieldMeta, 'max' | 'form'>, path: string, problems: Problems): void {
  if (typeof text !== 'string') return;
  if (form && !form.fits(text)) problems.add(path, form.expected);
  else if (text.includes('\0')) problems.add(path, storable);
  else if (!text.isWellFormed()) problems.add(path, 'well-formed Unicode text');
  else if (isLongerThan(text, max)) problems.add(path, `at most ${max} characters`);
}

const ofText: ReadonlySet<string> = new Set(['text', 'id', 'ref']);

/** The value as it is kept; what is wrong with it, its items or its fields goes to `problems`. */
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

/** What is kept of a value that the graph shows otherwise. */
function kept({ keep, expected }: Shown, given: unknown, path: string, problems: Problems): unknown {
  const value = keep(given);
  if (value === undefined) problems.add(path, expected);
  return value;
}

const isValues = (given: unknown): given is Values => typeof given === 'object' && given !== null;

/** JSON of a declared form is checked field by field, other JSON text by text. */
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
 * An input as column values, as far as it has any: groups unfolded, `null` turned into what unset means. What is out of bounds goes to
 * `problems`, and what the rules of a `write` reject, which see the values in `set` as well; `path` stands before the names of the fields.
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

/** The same of an input that is right as a whole: else BAD_INPUT names all that is wrong with it. */
export function valuesOf(meta: RecordMeta, input: Values, path?: string, write?: WriteKind): Values {
  const problems = new Problems();
  const values = valuesIn(meta, input, problems, { path, write });
  problems.refuse();
  return values;
}

/** Without the lists of which an item could not be read: that has been told, and rules look at whole ones. */
const withoutHoles = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => !(Array.isArray(value) && value.includes(undefined))));

/** What is wrong with a value of an input type, as far as that is known before anything runs. */
export function checkInput(type: string, given: unknown, path: string, problems: Problems, write?: WriteKind): void {
  if (!isValues(given)) return;
  const meta = metaOfInput(type);
  if (meta) valuesIn(meta, given, problems, { path: `${path}.`, write });
  problems.try(() => rulesOfInput(type)?.check(withoutHoles(given), `${path}.`));
}

/**
 * Values that a rule sets by column. Some of them are a caller's all the same, as a user's id in an argument is, and then the argument
 * has the name of the column: they are checked like those of an input.
 */
export function columnsIn(meta: RecordMeta, values: Values, problems: Problems): Values {
  const set: Values = {};
  for (const [key, given] of Object.entries(values)) {
    if (given !== undefined) set[key] = checked(columnOf(meta, key).field, given, key, problems);
  }
  return set;
}

/** The same where nothing else is looked at: BAD_INPUT names all that is wrong. */
export function checkedColumns(meta: RecordMeta, values: Values): Values {
  const problems = new Problems();
  const set = columnsIn(meta, values, problems);
  problems.refuse();
  return set;
}

const documents = new WeakMap<RecordMeta, ReadonlySet<string>>();

/** The keys of the columns that hold JSON. */
function documentsOf(meta: RecordMeta): ReadonlySet<string> {
  const known = documents.get(meta);
  if (known) return known;
  const keys = new Set([...columnsOf(meta).values()].filter(({ field }) => field.kind === 'json').map(({ key }) => key));
  documents.set(meta, keys);
  return keys;
}

/** Values as the driver takes them for these columns. */
export function forDatabase(meta: RecordMeta, keys: readonly string[], values: Values): unknown[] {
  const inJson = documentsOf(meta);
  return keys.map((key) => (inJson.has(key) && values[key] !== null ? JSON.stringify(values[key]) : values[key]));
}
