import { timestampFormat } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import type { ReferenceField } from './operation.js';
import { graphKey, referencedName } from './schemas.js';

/** Finds the JSON Schema of a record by name. */
export type FindSchema = (name: string) => JsonSchema | undefined;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

const typeNames: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  [timestampFormat]: 'timestamp',
  decimal: 'decimal text',
  'unix-time': 'Unix seconds',
  'comma-separated': 'comma-separated text',
};

const quotedList = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** Describes the type of a schema, such as `array of objects`. */
function describeType(schema: JsonSchema): string {
  const { type, format, items, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(describeType).join(' or ');
  if ('$ref' in schema) return 'object';
  if ('const' in schema) return `always ${quotedList([schema.const])}`;
  if (Array.isArray(values))
    return `${values.every((value) => typeof value === 'number') ? 'number' : 'string'}: ${quotedList(values)}`;
  const types = [type ?? []].flat() as string[];
  const words = types.map((type) => {
    if (type === 'array') return isSchema(items) ? `array of ${plural(describeType(items))}` : 'array';
    // In the union of `integer` and `string`, the format `decimal` belongs to the string.
    return (type === 'string' || (type === 'integer' && format === 'unix-time') ? typeNames[String(format)] : undefined) ?? type;
  });
  return words.join(' or ') || 'any JSON';
}

const plural = (words: string): string => (/^\w+$/.test(words) ? `${words}s` : words);

/** Returns the object schema that a schema refers to or contains, with its path suffix, such as `[]` for array items. */
function objectIn(schema: JsonSchema, resolve: FindSchema): { readonly suffix: string; readonly object: JsonSchema } | null {
  const name = referencedName(schema);
  if (name !== null) {
    const object = resolve(name);
    return object ? { suffix: '', object } : null;
  }
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((option) => objectIn(option, resolve)).find(Boolean) ?? null;
  if (Array.isArray(schema.allOf)) {
    const target = schema.allOf.map((part) => objectIn(part, resolve)).find(Boolean);
    const required = schema.allOf.flatMap((part: JsonSchema) => (part.required as string[] | undefined) ?? []);
    return target
      ? { ...target, object: { ...target.object, required: [...((target.object.required as string[]) ?? []), ...required] } }
      : null;
  }
  if (isSchema(schema.items)) {
    const target = objectIn(schema.items, resolve);
    return target && { ...target, suffix: `[]${target.suffix}` };
  }
  return isSchema(schema.properties) ? { suffix: '', object: schema } : null;
}

/** Returns all fields of a body. Nested fields follow their parent. */
export function fieldsOf(schema: JsonSchema, resolve: FindSchema, path = ''): ReferenceField[] {
  const target = objectIn(schema, resolve);
  if (!target) return [];
  const { properties, required = [] } = target.object;
  if (!isSchema(properties)) return [];
  const prefix = path + target.suffix;
  return Object.entries(properties).flatMap(([name, value]): ReferenceField[] => {
    if (!isSchema(value)) return [];
    const fieldPath = prefix === '' ? name : `${prefix}.${name}`;
    const coordinate = value[graphKey];
    const field = {
      path: fieldPath,
      type: describeType(value),
      meaning: typeof value.description === 'string' ? value.description : '',
      coordinate: typeof coordinate === 'string' ? coordinate : null,
      required: Array.isArray(required) && required.includes(name),
    };
    return [field, ...fieldsOf(value, resolve, fieldPath)];
  });
}

/** Returns a value without the keys that its schema does not contain. The service ignores such keys. */
export function withoutUnknownKeys(value: unknown, schema: JsonSchema, resolve: FindSchema): unknown {
  const { items } = schema;
  if (Array.isArray(value)) return isSchema(items) ? value.map((item) => withoutUnknownKeys(item, items, resolve)) : value;
  const target = objectIn(schema, resolve);
  const properties = target?.suffix === '' ? target.object.properties : null;
  if (typeof value !== 'object' || value === null || !isSchema(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const property = properties[key];
      return isSchema(property) ? [[key, withoutUnknownKeys(inner, property, resolve)]] : [];
    }),
  );
}
