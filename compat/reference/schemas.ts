import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { type BoundField, boundFieldsOf } from '../engine/bind/bound-fields.js';
import { type Codecs, schemaName } from '../engine/bind/codec.js';
import { sentTimestamp } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { orNull } from '../engine/bind/kinds.js';
import { shownPlace, takenPlace } from './coordinates.js';

/** Under which key a schema tells what of the graph a value shows or sets. */
export const graphKey = 'x-graphql';

type Direction = 'out' | 'in';

const reference = '#/components/schemas/';

/** The name behind `$ref`; null for a schema that stands where it is. */
export const referredTo = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' && $ref.startsWith(reference) ? $ref.slice(reference.length) : null;

/** Names of all schemas to which one refers, itself or inside. */
export function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = referredTo(schema as JsonSchema);
  return [...(own === null ? [] : [own]), ...Object.values(schema).flatMap(namesIn)];
}

/** The schemas to which something refers, and those to which they refer, by name. */
export function schemasIn(
  root: unknown,
  resolve: (name: string) => JsonSchema | undefined,
): Readonly<Record<string, JsonSchema>> {
  const used = new Map<string, JsonSchema>();
  const add = (schema: unknown): void => {
    for (const name of namesIn(schema)) {
      const found = resolve(name);
      if (!found || used.has(name)) continue;
      used.set(name, found);
      add(found);
    }
  };
  add(root);
  return Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** The forms that requests may use: a number or its decimal text, a text or a number, any ISO 8601 timestamp. */
function eitherForm(schema: JsonSchema): JsonSchema {
  const { type, format } = schema;
  if ('enum' in schema) return schema;
  if (format === 'date-time') return { ...schema, format: sentTimestamp };
  if (type === 'number' || type === 'integer') return { ...schema, type: [type, 'string'], format: 'decimal' };
  return type === 'string' && (format === undefined || format === 'decimal') ? { ...schema, type: ['string', 'number'] } : schema;
}

/** In requests null is an unset value, but where the graph demands one. */
function taken({ in: { schema }, target }: BoundField): JsonSchema {
  const sent = eitherForm(schema);
  return target?.absent === undefined ? sent : orNull(sent);
}

function propertyOf(schema: GraphQLSchema, record: LegacyRecord, field: BoundField, direction: Direction): JsonSchema {
  const place = (direction === 'out' ? shownPlace : takenPlace)(schema, record, field);
  const said = (direction === 'out' ? field.source : field.target)?.description ?? place?.description;
  return {
    ...(said ? { description: said } : {}),
    ...(direction === 'out' ? field.out.schema : taken(field)),
    ...(place ? { [graphKey]: place.coordinate } : {}),
  };
}

function schemaOf(schema: GraphQLSchema, record: LegacyRecord, codecs: Codecs, direction: Direction): JsonSchema {
  const fields = boundFieldsOf(schema, record, codecs.of, () => undefined);
  const present = fields.filter(({ source, target }) => (direction === 'out' ? source : target));
  const demanded = present.filter(({ target }) => direction === 'out' || target?.absent === undefined);
  const type = schema.getType((direction === 'out' ? record.type : record.input) ?? '');
  return {
    type: 'object',
    // What an input type means is said of what is made of it.
    ...(type?.description && !isInputObjectType(type) ? { description: type.description } : {}),
    properties: Object.fromEntries(present.map((field) => [field.name, propertyOf(schema, record, field, direction)])),
    ...(demanded.length ? { required: demanded.map(({ name }) => name) } : {}),
    ...(direction === 'out' ? { additionalProperties: false } : {}),
    ...(type ? { [graphKey]: type.name } : {}),
  };
}

/** The schemas of all records, each made when it is first asked for. */
export function schemasOf(
  schema: GraphQLSchema,
  records: readonly LegacyRecord[],
  codecs: Codecs,
): (name: string) => JsonSchema | undefined {
  const makers = new Map<string, () => JsonSchema>();
  for (const record of records)
    for (const direction of ['out', 'in'] as const)
      if (direction === 'out' ? record.type : record.input)
        makers.set(schemaName(record, direction), () => schemaOf(schema, record, codecs, direction));
  const made = new Map<string, JsonSchema>();
  return (name) => {
    const known = made.get(name) ?? makers.get(name)?.();
    if (known) made.set(name, known);
    return known;
  };
}
