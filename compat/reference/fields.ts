import { sentTimestamp } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import type { ReferenceField } from './operation.js';
import { graphKey, referredTo } from './schemas.js';

export type Resolve = (name: string) => JsonSchema | undefined;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

const named: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  [sentTimestamp]: 'timestamp',
  decimal: 'decimal text',
  'unix-time': 'Unix seconds',
  'comma-separated': 'text with commas',
};

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** What a schema lets through, in a few words. */
export function typeWords(schema: JsonSchema): string {
  const { type, format, items, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(typeWords).join(' or ');
  if ('$ref' in schema) return 'object';
  if ('const' in schema) return `always ${quoted([schema.const])}`;
  if (Array.isArray(values))
    return `${values.every((value) => typeof value === 'number') ? 'number' : 'string'}: ${quoted(values)}`;
  const types = [type ?? []].flat() as string[];
  const words = types.map((each) => {
    if (each === 'array') return isSchema(items) ? `array of ${many(typeWords(items))}` : 'array';
    // Beside an integer, decimal is what its text is.
    return (each === 'string' || (each === 'integer' && format === 'unix-time') ? named[String(format)] : undefined) ?? each;
  });
  return words.join(' or ') || 'any JSON';
}

const many = (words: string): string => (/^\w+$/.test(words) ? `${words}s` : words);

/** The object that a schema leads to, with what is put on its path to say so. */
function objectIn(schema: JsonSchema, resolve: Resolve): { readonly at: string; readonly object: JsonSchema } | null {
  const name = referredTo(schema);
  if (name !== null) {
    const object = resolve(name);
    return object ? { at: '', object } : null;
  }
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((each) => objectIn(each, resolve)).find(Boolean) ?? null;
  if (Array.isArray(schema.allOf)) {
    const found = schema.allOf.map((each) => objectIn(each, resolve)).find(Boolean);
    const required = schema.allOf.flatMap((each: JsonSchema) => (each.required as string[] | undefined) ?? []);
    return found
      ? { ...found, object: { ...found.object, required: [...((found.object.required as string[]) ?? []), ...required] } }
      : null;
  }
  if (isSchema(schema.items)) {
    const found = objectIn(schema.items, resolve);
    return found && { ...found, at: `[]${found.at}` };
  }
  return isSchema(schema.properties) ? { at: '', object: schema } : null;
}

/** Every value in a body, those inside others behind what holds them. */
export function fieldsOf(schema: JsonSchema, resolve: Resolve, path = ''): ReferenceField[] {
  const found = objectIn(schema, resolve);
  if (!found) return [];
  const { properties, required = [] } = found.object;
  if (!isSchema(properties)) return [];
  const before = path + found.at;
  return Object.entries(properties).flatMap(([name, value]): ReferenceField[] => {
    if (!isSchema(value)) return [];
    const here = before === '' ? name : `${before}.${name}`;
    const coordinate = value[graphKey];
    const field = {
      path: here,
      type: typeWords(value),
      meaning: typeof value.description === 'string' ? value.description : '',
      coordinate: typeof coordinate === 'string' ? coordinate : null,
      required: Array.isArray(required) && required.includes(name),
    };
    return [field, ...fieldsOf(value, resolve, here)];
  });
}

/** What of a value a schema names: keys that are ignored are left out. */
export function knownOf(value: unknown, schema: JsonSchema, resolve: Resolve): unknown {
  const { items } = schema;
  if (Array.isArray(value)) return isSchema(items) ? value.map((each) => knownOf(each, items, resolve)) : value;
  const found = objectIn(schema, resolve);
  const properties = found?.at === '' ? found.object.properties : null;
  if (typeof value !== 'object' || value === null || !isSchema(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const known = properties[key];
      return isSchema(known) ? [[key, knownOf(inner, known, resolve)]] : [];
    }),
  );
}
