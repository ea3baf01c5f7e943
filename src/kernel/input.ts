import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, Float, ID, InputType, Int } from 'type-graphql';
import { reject } from './errors.js';
import { parseInstant } from './instant.js';
import { classNamed, columnOf, columnsOf, type FieldMeta, groupOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import type { Values } from './record.js';
import { Instant, Money } from './scalars.js';

const inputs = new Map<RecordClass, RecordClass>();

/** The GraphQL type of a field's value, as input; `nested` gives the class that stands for a group or a JSON value. */
export function typeOf(field: FieldMeta, nested: (cls: RecordClass) => RecordClass): object {
  switch (field.kind) {
    case 'id':
    case 'ref':
      return ID;
    case 'text':
      return String;
    case 'flag':
      return Boolean;
    case 'int':
      return Int;
    case 'num':
      return Float;
    case 'money':
      return Money;
    case 'instant':
      return Instant;
    case 'list':
      return [field.ref ? ID : String];
    case 'values':
      return field.values ?? String;
    case 'group':
    case 'json': {
      const inner = field.group?.();
      if (!inner) return GraphQLJSON;
      return Array.isArray(inner) ? [nested(inner[0])] : nested(inner);
    }
  }
}

/** The input twin of a record or value: every field that clients may write, each of them optional, because inputs patch. */
export function inputOf(cls: RecordClass): RecordClass {
  const known = inputs.get(cls);
  if (known) return known;
  const meta = metaOf(cls);
  const twin = classNamed(`${cls.name}Input`);
  inputs.set(cls, twin);
  for (const field of meta.fields.values()) {
    if (field.readOnly || field.secret) continue;
    for (const inner of [field.group?.()].flat()) {
      // On the type, because classes that extend an input lose what its fields are marked with.
      if (inner && field.isReported) Extensions({ isReported: true })(inputOf(inner));
      else if (inner) inputOf(inner);
    }
    const clears = field.required && !field.default ? '' : ' Null clears it.';
    const merges = field.mergedBy
      ? ` Entries change those of the same ${field.mergedBy}, and are added where there is none; an entry that says nothing any more goes.`
      : '';
    const description = `${field.description}${merges}${field.kind === 'group' || field.kind === 'id' ? '' : clears}`;
    Field(() => typeOf(field, inputOf), { nullable: true, description })(twin.prototype, field.name);
  }
  InputType(twin.name, { description: `${meta.description} Absent fields keep their values, null clears.` })(twin);
  return twin;
}

/** Checks the values of one text; the message names the field (a NUL or half of a surrogate pair cannot be stored). */
function checkText(text: unknown, max: number, path: string): void {
  if (typeof text !== 'string') return;
  if (text.includes('\0')) reject(path, 'text without NUL characters');
  if (!text.isWellFormed()) reject(path, 'well-formed Unicode text');
  if (text.length > max) reject(path, `at most ${max} characters`);
}

/** What unset means for a column: its default where it cannot be null. */
export const unset = (field: FieldMeta): unknown => {
  if (field.kind === 'flag') return field.default === 'true';
  return field.kind === 'list' || field.default === "'[]'" ? [] : null;
};

const ofText: ReadonlySet<string> = new Set(['list', 'text', 'id', 'ref']);

function checkTexts(field: FieldMeta, given: unknown, path: string): void {
  if (ofText.has(field.kind)) for (const text of Array.isArray(given) ? given : [given]) checkText(text, field.max, path);
}

function checked(field: FieldMeta, given: unknown, path: string): unknown {
  if (given === null) return unset(field);
  checkTexts(field, given, path);
  if (field.kind === 'instant') return parseInstant(given, path);
  if (field.range && typeof given === 'number' && (given < field.range[0] || given > field.range[1])) {
    reject(path, `a number from ${field.range[0]} to ${field.range[1]}`);
  }
  if (field.kind === 'json') return checkedJson(field, given, path);
  return given;
}

/** JSON of a declared form is checked field by field, other JSON text by text. */
function checkedJson({ group, mergedBy }: FieldMeta, given: unknown, path: string): unknown {
  const inner = group?.();
  if (!Array.isArray(inner)) {
    checkDocument(given, path);
    return given;
  }
  return (given as Values[]).map((item, index) => {
    const here = `${path}.${index}.`;
    const values = valuesOf(metaOf(inner[0]), item, here);
    return mergedBy && values[mergedBy] === undefined ? reject(here + mergedBy, 'a value') : values;
  });
}

function checkDocument(node: unknown, path: string): void {
  if (typeof node === 'string') checkText(node, 10_000, path);
  else if (Array.isArray(node)) for (const [index, item] of node.entries()) checkDocument(item, `${path}.${index}`);
  else if (node && typeof node === 'object')
    for (const [key, item] of Object.entries(node)) checkDocument(item, `${path}.${key}`);
}

/** An input as column values: groups unfolded, `null` turned into what unset means, bounds checked with the field's path in the message. */
export function valuesOf(meta: RecordMeta, input: Record<string, unknown>, path = ''): Values {
  const values: Values = {};
  for (const field of meta.fields.values()) {
    const given = input[field.name];
    if (given === undefined) continue;
    const here = path + field.name;
    if (field.kind === 'group') {
      const inner = groupOf(field);
      const nested = (given ?? Object.fromEntries([...inner.fields.keys()].map((key) => [key, null]))) as Record<string, unknown>;
      for (const [key, item] of Object.entries(valuesOf(inner, nested, `${here}.`))) {
        // What has a default of its own is never unset.
        if (item !== null || !field.defaults?.[key]) values[`${field.name}.${key}`] = item;
      }
    } else if (given === null && field.required && unset(field) === null) {
      // An id or a creation time cannot be cleared: the server keeps or assigns it.
    } else values[field.name] = checked(field, given, here);
  }
  return values;
}

/** Values that a rule sets by column. Some of them are a caller's all the same, as a user's id in a path is: their texts are checked, too. */
export function checkedColumns(meta: RecordMeta, values: Values): Values {
  for (const [key, given] of Object.entries(values)) checkTexts(columnOf(meta, key).field, given, key);
  return values;
}

/** A value as the driver takes it for this column. */
export const forDatabase = (meta: RecordMeta, key: string, given: unknown): unknown =>
  given !== null && columnsOf(meta).get(key)?.field.kind === 'json' ? JSON.stringify(given) : given;
