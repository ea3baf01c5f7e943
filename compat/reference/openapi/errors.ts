import type { JsonSchema } from '../../engine/bind/json.js';

/** JSON Schema of all error responses. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    Code: { type: 'integer', description: 'HTTP status of the response.' },
    Message: {
      type: 'string',
      description: 'Reason for the error. For invalid values: the expected value of each field, separated by `; `.',
    },
    Timestamp: { type: 'integer', format: 'unix-time', description: 'Time of the response.' },
    RequestId: { type: 'integer', description: 'Number of the request in the log of the service.' },
  },
  required: ['Code', 'Message', 'Timestamp', 'RequestId'],
  additionalProperties: false,
};

/** Headers of temporary errors. */
export const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
};
