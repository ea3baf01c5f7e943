import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { BoundField, LegacyRecord } from '../engine/bind/binding.js';
import { type Codecs, type Direction, schemaName } from '../engine/bind/codec.js';
import { timestampFormat } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { orNull } from '../engine/bind/value-formats.js';
import { requestElement, responseElement } from './coordinates.js';

/** JSON Schema keyword that contains the GraphQL schema coordinate of a value. */
export const graphKey = 'x-graphql';

const reference = '#/components/schemas/';

/** Returns the name of the schema that `$ref` refers to. Null if there is no such reference. */
export const referencedName = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' && $ref.startsWith(reference) ? $ref.slice(reference.length) : null;

/** Returns the names of all schemas that are referenced anywhere within a schema. */
export function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const ownName = referencedName(schema as JsonSchema);
  return [...(ownName === null ? [] : [ownName]), ...Object.values(schema).flatMap(namesIn)];
}

/** Returns the schemas that a value refers to, directly or indirectly, keyed by name. */
export function referencedSchemas(
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

/**
 * Returns a schema that also permits the alternative formats that requests may use: numbers as strings, strings as numbers, and any ISO
 * 8601 timestamp.
 */
function withRequestFormats(schema: JsonSchema): JsonSchema {
  const { type, format } = schema;
  if ('enum' in schema) return schema;
  if (format === 'date-time') return { ...schema, format: timestampFormat };
  if (type === 'number' || type === 'integer') return { ...schema, type: [type, 'string'], format: 'decimal' };
  return type === 'string' && (format === undefined || format === 'decimal') ? { ...schema, type: ['string', 'number'] } : schema;
}

/** Returns the schema of a request field. It permits null unless GraphQL requires a value. */
function requestSchema({ requestFormat: { schema }, target }: BoundField): JsonSchema {
  const sentSchema = withRequestFormats(schema);
  return target?.defaultInput === undefined ? sentSchema : orNull(sentSchema);
}

function propertyOf(schema: GraphQLSchema, record: LegacyRecord, field: BoundField, direction: Direction): JsonSchema {
  const element = (direction === 'response' ? responseElement : requestElement)(schema, record, field);
  const description = (direction === 'response' ? field.source : field.target)?.description ?? element?.description;
  return {
    ...(description ? { description } : {}),
    ...(direction === 'response' ? field.responseFormat.schema : requestSchema(field)),
    ...(element ? { [graphKey]: element.coordinate } : {}),
  };
}

function schemaOf(schema: GraphQLSchema, record: LegacyRecord, codecs: Codecs, direction: Direction): JsonSchema {
  const includedFields = codecs.get(record).fields.filter(({ source, target }) => (direction === 'response' ? source : target));
  const requiredFields = includedFields.filter(({ target }) => direction === 'response' || target?.defaultInput === undefined);
  const type = schema.getType((direction === 'response' ? record.type : record.input) ?? '');
  return {
    type: 'object',
    // The descriptions of input types are omitted, because they repeat the description of the record.
    ...(type?.description && !isInputObjectType(type) ? { description: type.description } : {}),
    properties: Object.fromEntries(includedFields.map((field) => [field.name, propertyOf(schema, record, field, direction)])),
    ...(requiredFields.length ? { required: requiredFields.map(({ name }) => name) } : {}),
    ...(direction === 'response' ? { additionalProperties: false } : {}),
    ...(type ? { [graphKey]: type.name } : {}),
  };
}

/** Returns a function that looks up the JSON Schema of a record by schema name. Each schema is created on first use. */
export function schemasOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  codecs: Codecs,
): (name: string) => JsonSchema | undefined {
  const builders = new Map<string, () => JsonSchema>();
  for (const record of records)
    for (const direction of ['response', 'request'] as const)
      if (direction === 'response' ? record.type : record.input)
        builders.set(schemaName(record, direction), () => schemaOf(schema, record, codecs, direction));
  const cache = new Map<string, JsonSchema>();
  return (name) => {
    const recordSchema = cache.get(name) ?? builders.get(name)?.();
    if (recordSchema) cache.set(name, recordSchema);
    return recordSchema;
  };
}
