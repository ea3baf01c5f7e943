import type { LegacyRecord } from '../engine/bind/binding.js';
import { schemaRef } from '../engine/bind/codec.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { type Args, isReader, type Reader } from '../engine/request/reader.js';
import { parameterMeanings } from './parameter-meanings.js';
import type { Placed } from './parameters.js';
import { graphKey } from './schemas.js';

/** The record that a route reads out of the body, if it does. */
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

/** A record, of which a route demands more than the graph does. */
function recordSchema(record: LegacyRecord, demanded: readonly string[]): JsonSchema {
  const ref = schemaRef(record, 'in');
  return demanded.length ? { allOf: [ref, { type: 'object', required: demanded }] } : ref;
}

const single = (placed: readonly Placed[]): JsonSchema =>
  object(
    Object.fromEntries(
      placed.map(({ parameter: { name, schema }, meaning, coordinate }) => [
        name,
        { ...schema, ...(meaning ? { description: meaning } : {}), ...(coordinate ? { [graphKey]: coordinate } : {}) },
      ]),
    ),
    demandedOf(placed),
  );

const demandedOf = (placed: readonly Placed[]): string[] =>
  placed.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name);

/** What a request's body has to be; null where none is read. */
export function bodySchema(found: Reader['body'], placed: readonly Placed[]): JsonSchema | null {
  const payload = placed.filter(({ parameter }) => parameter.in === 'payload');
  const beside = placed.filter(({ parameter }) => parameter.in === 'body');
  if (found) {
    const { record, wrapped } = found;
    const sent = { description: 'The record, as it is to be.' };
    if (wrapped)
      return object({ payload: { ...sent, ...recordSchema(record, demandedOf(payload)) }, fieldsToOmit: omitted }, ['payload']);
    return { allOf: [recordSchema(record, demandedOf(beside)), object({ fieldsToOmit: omitted }, [])] };
  }
  if (payload.length) {
    const demanded = demandedOf(payload).length > 0;
    const whole = payload.find(({ parameter }) => parameter.orWhole)?.parameter.schema;
    const fields = single(payload);
    const sent = { description: 'What is asked for.', ...(whole ? { anyOf: [fields, whole] } : fields) };
    return object({ payload: sent }, demanded ? ['payload'] : []);
  }
  return beside.length ? single(beside) : null;
}
