import type { ReferenceOperation, ReferenceParameter } from '../operation.js';
import { type Sample, valueAt } from '../samples.js';
import { graphKey } from '../schemas.js';

function parameterOf({ in: location, name, required, meaning, coordinate, schema }: ReferenceParameter, { values }: Sample) {
  const { description: _, ...plain } = schema;
  const example = values[name];
  return {
    name,
    in: location,
    required,
    description: meaning,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: plain,
    ...(example === undefined ? {} : { example: valueAt(example, schema) }),
    ...(coordinate ? { [graphKey]: coordinate } : {}),
  };
}

/** OpenAPI parameter of writes. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Unique key of the request, chosen by the client. A repeated request with the same key returns the first response and does not run again.',
  schema: { type: 'string' },
};

/** Returns the OpenAPI parameters of an operation. Methods other than GET also have the idempotency key. */
export const parametersOf = ({ parameters, method }: ReferenceOperation, sample: Sample): unknown[] => [
  ...parameters.map((parameter) => parameterOf(parameter, sample)),
  ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
];
