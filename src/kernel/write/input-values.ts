import { expectedWithoutNul } from '../declare/errors.js';
import { legacyField, legacyInputFieldOf, legacyPath } from '../declare/fields/legacy-fields.js';
import type { Values, WriteKind } from '../declare/fields/options.js';
import { valueWhenUnset } from '../declare/fields/stored-fields.js';
import { rulesOfInput } from '../declare/input-rules.js';
import { type Conversion, columnOf, columnsOf, type FieldMeta, groupOf, metaOf, type RecordMeta } from '../declare/meta.js';
import { Problems } from '../declare/problems.js';
import { instantFormat, normalizeInstant } from '../declare/scalars/instant.js';
import { isLongerThan } from '../declare/scalars/text.js';
import { metaOfInput } from './input.js';

/** Adds a problem if a text has the wrong format, cannot be stored because of NUL characters or lone surrogates, or is too long. */
function checkText(text: unknown, { max, format }: Pick<FieldMeta, 'max' | 'format'>, path: string, problems: Problems): void {
  if (typeof text !== 'string') return;
  if (format && !format.matches(text)) problems.add(path, format.expected);
  else if (text.includes('\0')) problems.add(path, expectedWithoutNul);
  else if (!text.isWellFormed()) problems.add(path, 'well-formed Unicode text');
  else if (isLongerThan(text, max)) problems.add(path, `at most ${max} characters`);
}

const textKinds: ReadonlySet<string> = new Set(['text', 'id', 'ref']);

/** Converts an input value to the stored value. Adds the problems in the value, its items and its fields. */
function checkValue(field: FieldMeta, value: unknown, path: string, problems: Problems): unknown {
  if (value === null) return valueWhenUnset(field);
  if (field.kind === 'id' && value === '') problems.add(path, `an id of 1 to ${field.max} characters`);
  if (field.kind === 'json') return checkedJson(field, value, path, problems);
  if (field.kind === 'instant') {
    const text = typeof value === 'string' ? normalizeInstant(value) : null;
    if (text === null) problems.add(path, instantFormat);
    return text;
  }
  if (field.kind === 'list' && Array.isArray(value)) {
    const [maxItems = Number.POSITIVE_INFINITY, items] = field.maxItems ?? [];
    if (value.length > maxItems) problems.add(path, `at most ${maxItems} ${items}`);
    for (const [index, item] of value.entries()) checkText(item, field, `${path}[${index}]`, problems);
  }
  if (textKinds.has(field.kind)) checkText(value, field, path, problems);
  if (field.range && typeof value === 'number' && (value < field.range[0] || value > field.range[1])) {
    problems.add(path, `a number from ${field.range[0]} to ${field.range[1]}`);
  }
  return value;
}

/** Converts a GraphQL input value to its stored form. */
function convertValue({ toStored, expected }: Conversion, value: unknown, path: string, problems: Problems): unknown {
  const storedValue = toStored(value);
  if (storedValue === undefined) problems.add(path, expected);
  return storedValue;
}

/** Whether a value is an object or a list. */
export const isObjectOrList = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Checks a JSON value. In lists of a declared class, checks all fields. In other JSON, checks only the strings. */
function checkedJson({ group, mergeKey }: FieldMeta, value: unknown, path: string, problems: Problems): unknown {
  const itemClass = group?.();
  if (!Array.isArray(itemClass) || !Array.isArray(value)) {
    checkDocument(value, path, problems);
    return value;
  }
  const meta = metaOf(itemClass[0]);
  return value.map((item, index) => {
    const itemPath = `${path}[${index}].`;
    const values = isObjectOrList(item) ? collectValues(meta, item, itemPath, problems) : {};
    if (mergeKey && values[mergeKey] === undefined) problems.add(itemPath + mergeKey, 'a value');
    return values;
  });
}

function checkDocument(node: unknown, path: string, problems: Problems): void {
  if (typeof node === 'string') checkText(node, { max: 10_000 }, path, problems);
  else if (Array.isArray(node)) for (const [index, item] of node.entries()) checkDocument(item, `${path}[${index}]`, problems);
  else if (isObjectOrList(node)) for (const [key, item] of Object.entries(node)) checkDocument(item, `${path}.${key}`, problems);
}

/** Whether a value leaves a field unchanged. IDs, creation times and fields with `cannotBeCleared` cannot be cleared. */
const isUnchangedBy = (field: FieldMeta, value: unknown): boolean =>
  field.cannotBeCleared ? value === null || value === '' : value === null && field.required && valueWhenUnset(field) === null;

/** Field of an input. */
interface InputField {
  readonly field: FieldMeta;
  readonly name: string;
  /** Field of `legacy` that belongs to the same column. */
  readonly storedField: FieldMeta | null;
}

const inputFieldLists = new WeakMap<RecordMeta, readonly InputField[]>();

function inputFields(meta: RecordMeta): readonly InputField[] {
  const cachedFields = inputFieldLists.get(meta);
  if (cachedFields) return cachedFields;
  const fields = [...meta.fields.values()].map(
    (field): InputField => ({ field, name: field.name, storedField: legacyInputFieldOf(field) }),
  );
  inputFieldLists.set(meta, fields);
  return fields;
}

/** Returns the value if it is a non-empty string. Null for other values. `/v1` sends empty strings for missing values. */
export const nonEmptyString = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const noValues: Values = {};

/** Returns the values in the field `legacy` of an input. */
export const legacyValuesIn = (input: Values): Values => {
  const legacy = input[legacyField];
  return isObjectOrList(legacy) ? legacy : noValues;
};

function collectValues(meta: RecordMeta, input: Values, path: string, problems: Problems): Values {
  const values: Values = {};
  const legacy = legacyValuesIn(input);
  for (const { field, name, storedField } of inputFields(meta)) {
    const value = input[name];
    const storedValue = storedField ? legacy[storedField.name] : undefined;
    if (storedField && storedValue !== undefined) {
      const storedPath = legacyPath(path, storedField.name);
      values[name] = checkValue(storedField, storedValue, storedPath, problems);
      if (value !== undefined) problems.add(storedPath, `no value together with ${path}${name}`);
      continue;
    }
    if (value === undefined) continue;
    const fieldPath = path + name;
    if (field.conversion)
      values[field.name] = value === null ? valueWhenUnset(field) : convertValue(field.conversion, value, fieldPath, problems);
    else if (field.kind === 'group') {
      const groupMeta = groupOf(field);
      const groupValues = isObjectOrList(value)
        ? value
        : Object.fromEntries([...groupMeta.fields.keys()].map((key) => [key, null]));
      for (const [key, item] of Object.entries(collectValues(groupMeta, groupValues, `${fieldPath}.`, problems))) {
        // Null is ignored for columns with a default, because they are never null.
        if (item !== null || !field.defaults?.[key]) values[`${field.name}.${key}`] = item;
      }
    } else if (!isUnchangedBy(field, value)) values[field.name] = checkValue(field, value, fieldPath, problems);
  }
  return values;
}

/** Converts the values of an input to stored values, for rules that run before the write. */
export function toStoredValues(meta: RecordMeta, input: Values): Values {
  const { [legacyField]: _, ...values } = input;
  const legacy = legacyValuesIn(input);
  for (const { field, storedField } of inputFields(meta)) {
    if (storedField && legacy[storedField.name] !== undefined) values[field.name] = legacy[storedField.name];
    else if (field.conversion && input[field.name] !== undefined && input[field.name] !== null)
      values[field.name] = field.conversion.toStored(input[field.name]);
  }
  return values;
}

/**
 * Converts an input to column values, keyed by column key. Null becomes the value of an unset column. Adds problems for invalid values. If
 * `write` is given, runs the `check` option of the record with these values and `serviceValues`. `path` is the prefix of the field names.
 */
export function valuesIn(
  meta: RecordMeta,
  input: Values,
  problems: Problems,
  { path = 'input.', write, serviceValues = {} }: { path?: string; write?: WriteKind; serviceValues?: Values } = {},
): Values {
  const values = collectValues(meta, input, path, problems);
  if (write) problems.try(() => meta.options?.check?.({ ...values, ...serviceValues }, write));
  return values;
}

/** Like `valuesIn`, but throws BAD_INPUT with all problems. */
export function valuesOf(meta: RecordMeta, input: Values, path?: string, write?: WriteKind): Values {
  const problems = new Problems();
  const values = valuesIn(meta, input, problems, { path, write });
  problems.throwIfAny();
  return values;
}

/** Removes lists that contain invalid items. Their problems have already been reported, and rules require complete lists. */
const withoutInvalidLists = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => !(Array.isArray(value) && value.includes(undefined))));

/** Adds all problems of an input that can be detected without the database. */
export function checkInput(type: string, input: unknown, path: string, problems: Problems, write?: WriteKind): void {
  if (!isObjectOrList(input)) return;
  const meta = metaOfInput(type);
  if (meta) valuesIn(meta, input, problems, { path: `${path}.`, write });
  problems.try(() => rulesOfInput(type)?.check(withoutInvalidLists(input), `${path}.`));
}

/**
 * Checks values that the service sets, keyed by column key. Some of these values come from the client's arguments, such as a user ID. Error
 * messages contain the column key.
 */
export function checkColumns(meta: RecordMeta, values: Values, problems: Problems): Values {
  const columnValues: Values = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) columnValues[key] = checkValue(columnOf(meta, key).field, value, key, problems);
  }
  return columnValues;
}

/** Like `checkColumns`, but throws BAD_INPUT with all problems. */
export function checkedColumns(meta: RecordMeta, values: Values): Values {
  const problems = new Problems();
  const columnValues = checkColumns(meta, values, problems);
  problems.throwIfAny();
  return columnValues;
}

const jsonColumnKeys = new WeakMap<RecordMeta, ReadonlySet<string>>();

/** Returns the keys of the JSON columns. */
function jsonColumnKeysOf(meta: RecordMeta): ReadonlySet<string> {
  const cachedKeys = jsonColumnKeys.get(meta);
  if (cachedKeys) return cachedKeys;
  const keys = new Set([...columnsOf(meta).values()].filter(({ field }) => field.kind === 'json').map(({ key }) => key));
  jsonColumnKeys.set(meta, keys);
  return keys;
}

/** Returns the values of `keys` as parameters for the database driver. JSON is serialized. */
export function driverValues(meta: RecordMeta, keys: readonly string[], values: Values): unknown[] {
  const jsonKeys = jsonColumnKeysOf(meta);
  return keys.map((key) => (jsonKeys.has(key) && values[key] !== null ? JSON.stringify(values[key]) : values[key]));
}
