import type { LegacyRecord } from '../engine/bind/binding.js';
import { schemaRef } from '../engine/bind/codec.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { type ArgumentReaders, isReader, type Reader } from '../engine/request/reader.js';
import { type LocatedParameter, parameterMeanings } from './parameters.js';
import { graphKey } from './schemas.js';

/** Returns the record that a route reads from the body. Undefined if the route reads no record. */
export function recordIn(args: ArgumentReaders): Reader['body'] {
  for (const entry of Object.values(args)) {
    const body = isReader(entry) ? entry.body : recordIn(entry);
    if (body) return body;
  }
  return undefined;
}

const fieldsToOmit: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: parameterMeanings['query fieldsToOmit'],
};

const object = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length ? { required } : {}),
});

/** Returns the schema of a record. `required` lists fields that the route requires, in addition to the fields that GraphQL requires. */
function recordSchema(record: LegacyRecord, required: readonly string[]): JsonSchema {
  const ref = schemaRef(record, 'request');
  return required.length ? { allOf: [ref, { type: 'object', required }] } : ref;
}

const parametersSchema = (parameters: readonly LocatedParameter[]): JsonSchema =>
  object(
    Object.fromEntries(
      parameters.map(({ parameter: { name, schema }, meaning, coordinate }) => [
        name,
        { ...schema, ...(meaning ? { description: meaning } : {}), ...(coordinate ? { [graphKey]: coordinate } : {}) },
      ]),
    ),
    requiredOf(parameters),
  );

const requiredOf = (parameters: readonly LocatedParameter[]): string[] =>
  parameters.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name);

/** Returns the schema of a request body. Null if the operation has no request body. */
export function bodySchema(body: Reader['body'], parameters: readonly LocatedParameter[]): JsonSchema | null {
  const payload = parameters.filter(({ parameter }) => parameter.in === 'payload');
  const bodyFields = parameters.filter(({ parameter }) => parameter.in === 'body');
  if (body) {
    const { record, isWrapped } = body;
    const recordDescription = { description: 'Record to save.' };
    if (isWrapped)
      return object({ payload: { ...recordDescription, ...recordSchema(record, requiredOf(payload)) }, fieldsToOmit }, [
        'payload',
      ]);
    return { allOf: [recordSchema(record, requiredOf(bodyFields)), object({ fieldsToOmit }, [])] };
  }
  if (payload.length) {
    const required = requiredOf(payload).length > 0;
    const payloadSchema = payload.find(({ parameter }) => parameter.canBePayload)?.parameter.schema;
    const fields = parametersSchema(payload);
    const sent = {
      description: 'Parameters of the operation.',
      ...(payloadSchema ? { anyOf: [fields, payloadSchema] } : fields),
    };
    return object({ payload: sent }, required ? ['payload'] : []);
  }
  return bodyFields.length ? parametersSchema(bodyFields) : null;
}
