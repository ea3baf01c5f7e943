import { instantForm, normalizeInstant } from '../declare/instant.js';
import { columnOf, columnsOf, type FieldMeta, groupOf, metaOf, type RecordMeta, type Shown } from '../declare/meta.js';
import type { Values } from '../declare/options.js';
import { Problems } from '../declare/problems.js';
import { rawOf } from '../declare/shown.js';
import { metaOfInput } from './input.js';

/** What unset means for a column: its default where it cannot be null. */
export const unset = (field: FieldMeta): unknown => {
  if (field.kind === 'flag') return field.default === 'true';
  return field.kind === 'list' || field.default === "'[]'" ? [] : null;
};

/** A text that cannot be stored (a NUL, half of a surrogate pair), or is longer than its field, is a problem. */
function checkText(text: unknown, max: number, path: string, problems: Problems): void {
  if (typeof text !== 'string') return;
  if (text.includes('\0')) problems.add(path, 'text without NUL characters');
  else if (!text.isWellFormed()) problems.add(path, 'well-formed Unicode text');
  else if (text.length > max) problems.add(path, `at most ${max} characters`);
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
  if (field.kind === 'list' && Array.isArray(given))
    for (const [index, item] of given.entries()) checkText(item, field.max, `${path}[${index}]`, problems);
  if (ofText.has(field.kind)) checkText(given, field.max, path, problems);
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
  if (typeof node === 'string') checkText(node, 10_000, path, problems);
  else if (Array.isArray(node)) for (const [index, item] of node.entries()) checkDocument(item, `${path}[${index}]`, problems);
  else if (isValues(node)) for (const [key, item] of Object.entries(node)) checkDocument(item, `${path}.${key}`, problems);
}

function collected(meta: RecordMeta, input: Values, path: string, problems: Problems): Values {
  const values: Values = {};
  for (const field of meta.fields.values()) {
    const raw = rawOf(field);
    if (raw && input[raw.name] !== undefined) {
      values[field.name] = checked(raw, input[raw.name], path + raw.name, problems);
      if (input[field.name] !== undefined) problems.add(path + raw.name, `nothing beside ${field.name}`);
      continue;
    }
    const given = input[field.name];
    if (given === undefined) continue;
    const here = path + field.name;
    if (field.shown) values[field.name] = given === null ? unset(field) : kept(field.shown, given, here, problems);
    else if (field.kind === 'group') {
      const inner = groupOf(field);
      const nested = isValues(given) ? given : Object.fromEntries([...inner.fields.keys()].map((key) => [key, null]));
      for (const [key, item] of Object.entries(collected(inner, nested, `${here}.`, problems))) {
        // What has a default of its own is never unset.
        if (item !== null || !field.defaults?.[key]) values[`${field.name}.${key}`] = item;
      }
    } else if (given === null && field.required && unset(field) === null) {
      // An id or a creation time cannot be cleared: the server keeps or assigns it.
    } else values[field.name] = checked(field, given, here, problems);
  }
  return values;
}

/** An input with its values as they are kept, for rules that look at it before it is written. */
export function asKept(meta: RecordMeta, input: Values): Values {
  const values = { ...input };
  for (const field of meta.fields.values()) {
    const raw = rawOf(field);
    if (raw && input[raw.name] !== undefined) {
      values[field.name] = input[raw.name];
      delete values[raw.name];
    } else if (field.shown && input[field.name] !== undefined && input[field.name] !== null) {
      values[field.name] = field.shown.keep(input[field.name]);
    }
  }
  return values;
}

/**
 * An input as column values: groups unfolded, `null` turned into what unset means. `path` stands before the names of the fields:
 * BAD_INPUT names all values that are out of bounds.
 */
export function valuesOf(meta: RecordMeta, input: Values, path = 'input.'): Values {
  const problems = new Problems();
  const values = collected(meta, input, path, problems);
  problems.refuse();
  return values;
}

/** What is out of bounds in a value of an input type, as far as that is known before its rules run. */
export function checkInput(type: string, given: unknown, path: string, problems: Problems): void {
  const meta = metaOfInput(type);
  if (meta && isValues(given)) collected(meta, given, `${path}.`, problems);
}

/**
 * Values that a rule sets by column. Some of them are a caller's all the same, as a user's id in an argument is, and then the argument
 * has the name of the column: they are checked like those of an input.
 */
export function checkedColumns(meta: RecordMeta, values: Values): Values {
  const problems = new Problems();
  const set: Values = {};
  for (const [key, given] of Object.entries(values)) {
    if (given !== undefined) set[key] = checked(columnOf(meta, key).field, given, key, problems);
  }
  problems.refuse();
  return set;
}

/** A value as the driver takes it for this column. */
export const forDatabase = (meta: RecordMeta, key: string, given: unknown): unknown =>
  given !== null && columnsOf(meta).get(key)?.field.kind === 'json' ? JSON.stringify(given) : given;
