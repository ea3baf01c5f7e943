import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { type BoundField, boundFieldsOf } from '../engine/bind/bound-fields.js';
import { type Codecs, schemaName } from '../engine/bind/codec.js';
import { timestampFormat } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { orNull } from '../engine/bind/kinds.js';
import { requestElement, responseElement } from './coordinates.js';

/** Schema keyword with the GraphQL coordinate of a value. */
export const graphKey = 'x-graphql';

type Direction = 'out' | 'in';

const reference = '#/components/schemas/';

/** Name of the schema that `$ref` refers to. Null without a reference. */
export const referencedName = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' && $ref.startsWith(reference) ? $ref.slice(reference.length) : null;

/** Names of all schemas that a schema refers to, including nested references. */
export function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const ownName = referencedName(schema as JsonSchema);
  return [...(ownName === null ? [] : [ownName]), ...Object.values(schema).flatMap(namesIn)];
}

/** Schemas that a value refers to, directly or indirectly, by name. */
export function schemasIn(
  root: unknown,
  resolve: (name: string) => JsonSchema | undefined,
): Readonly<Record<string, JsonSchema>> {
  const usedSchemas = new Map<string, JsonSchema>();
  const add = (schema: unknown): void => {
    for (const name of namesIn(schema)) {
      const referenced = resolve(name);
      if (!referenced || usedSchemas.has(name)) continue;
      usedSchemas.set(name, referenced);
      add(referenced);
    }
  };
  add(root);
  return Object.fromEntries([...usedSchemas].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Adds the formats that requests may use: numbers as decimal text, texts as numbers, and any ISO 8601 timestamp. */
function withRequestFormats(schema: JsonSchema): JsonSchema {
  const { type, format } = schema;
  if ('enum' in schema) return schema;
  if (format === 'date-time') return { ...schema, format: timestampFormat };
  if (type === 'number' || type === 'integer') return { ...schema, type: [type, 'string'], format: 'decimal' };
  return type === 'string' && (format === undefined || format === 'decimal') ? { ...schema, type: ['string', 'number'] } : schema;
}

/** Schema of a field in requests. `null` unsets the value, unless GraphQL requires one. */
function requestSchema({ in: { schema }, target }: BoundField): JsonSchema {
  const sentSchema = withRequestFormats(schema);
  return target?.defaultInput === undefined ? sentSchema : orNull(sentSchema);
}

function propertyOf(schema: GraphQLSchema, record: LegacyRecord, field: BoundField, direction: Direction): JsonSchema {
  const element = (direction === 'out' ? responseElement : requestElement)(schema, record, field);
  const description = (direction === 'out' ? field.source : field.target)?.description ?? element?.description;
  return {
    ...(description ? { description } : {}),
    ...(direction === 'out' ? field.out.schema : requestSchema(field)),
    ...(element ? { [graphKey]: element.coordinate } : {}),
  };
}

function schemaOf(schema: GraphQLSchema, record: LegacyRecord, codecs: Codecs, direction: Direction): JsonSchema {
  const fields = boundFieldsOf(schema, record, codecs.of, () => undefined);
  const includedFields = fields.filter(({ source, target }) => (direction === 'out' ? source : target));
  const requiredFields = includedFields.filter(({ target }) => direction === 'out' || target?.defaultInput === undefined);
  const type = schema.getType((direction === 'out' ? record.type : record.input) ?? '');
  return {
    type: 'object',
    // Input types have the same description as the record.
    ...(type?.description && !isInputObjectType(type) ? { description: type.description } : {}),
    properties: Object.fromEntries(includedFields.map((field) => [field.name, propertyOf(schema, record, field, direction)])),
    ...(requiredFields.length ? { required: requiredFields.map(({ name }) => name) } : {}),
    ...(direction === 'out' ? { additionalProperties: false } : {}),
    ...(type ? { [graphKey]: type.name } : {}),
  };
}

/** Returns a function that finds the schema of a record by name. Schemas are created on demand. */
export function schemasOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  codecs: Codecs,
): (name: string) => JsonSchema | undefined {
  const builders = new Map<string, () => JsonSchema>();
  for (const record of records)
    for (const direction of ['out', 'in'] as const)
      if (direction === 'out' ? record.type : record.input)
        builders.set(schemaName(record, direction), () => schemaOf(schema, record, codecs, direction));
  const cache = new Map<string, JsonSchema>();
  return (name) => {
    const recordSchema = cache.get(name) ?? builders.get(name)?.();
    if (recordSchema) cache.set(name, recordSchema);
    return recordSchema;
  };
}
