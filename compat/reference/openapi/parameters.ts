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

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Unique text for this request, chosen by the client. Repeating the request with the same key returns the first response without running it again.',
  schema: { type: 'string' },
};

/** Parameters of an operation. Writes also have an idempotency key. */
export const parametersOf = ({ parameters, method }: ReferenceOperation, sample: Sample): unknown[] => [
  ...parameters.map((parameter) => parameterOf(parameter, sample)),
  ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
];
