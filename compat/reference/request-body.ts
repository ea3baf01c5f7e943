import type { LegacyRecord } from '../engine/bind/binding.js';
import { schemaRef } from '../engine/bind/codec.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { type Args, isReader, type Reader } from '../engine/request/reader.js';
import { parameterMeanings } from './parameter-meanings.js';
import type { Placed } from './parameters.js';
import { graphKey } from './schemas.js';

/** The record that a route reads from the body. Undefined if it reads none. */
export function recordIn(args: Args): Reader['body'] {
  for (const entry of Object.values(args)) {
    const found = isReader(entry) ? entry.body : recordIn(entry);
    if (found) return found;
  }
  return undefined;
}

const omitted: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: parameterMeanings['query fieldsToOmit'],
};

const object = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length ? { required } : {}),
});

/** Schema of a record, with fields that the route requires in addition to GraphQL. */
function recordSchema(record: LegacyRecord, required: readonly string[]): JsonSchema {
  const ref = schemaRef(record, 'in');
  return required.length ? { allOf: [ref, { type: 'object', required: required }] } : ref;
}

const single = (placed: readonly Placed[]): JsonSchema =>
  object(
    Object.fromEntries(
      placed.map(({ parameter: { name, schema }, meaning, coordinate }) => [
        name,
        { ...schema, ...(meaning ? { description: meaning } : {}), ...(coordinate ? { [graphKey]: coordinate } : {}) },
      ]),
    ),
    requiredOf(placed),
  );

const requiredOf = (placed: readonly Placed[]): string[] =>
  placed.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name);

/** Schema of a request body. Null without a body. */
export function bodySchema(found: Reader['body'], placed: readonly Placed[]): JsonSchema | null {
  const payload = placed.filter(({ parameter }) => parameter.in === 'payload');
  const beside = placed.filter(({ parameter }) => parameter.in === 'body');
  if (found) {
    const { record, wrapped } = found;
    const sent = { description: 'The record to save.' };
    if (wrapped)
      return object({ payload: { ...sent, ...recordSchema(record, requiredOf(payload)) }, fieldsToOmit: omitted }, ['payload']);
    return { allOf: [recordSchema(record, requiredOf(beside)), object({ fieldsToOmit: omitted }, [])] };
  }
  if (payload.length) {
    const required = requiredOf(payload).length > 0;
    const whole = payload.find(({ parameter }) => parameter.canBePayload)?.parameter.schema;
    const fields = single(payload);
    const sent = { description: 'The values of the request.', ...(whole ? { anyOf: [fields, whole] } : fields) };
    return object({ payload: sent }, required ? ['payload'] : []);
  }
  return beside.length ? single(beside) : null;
}
