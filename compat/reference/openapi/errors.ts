import type { JsonSchema } from '../../engine/bind/json.js';

/** Schema of all error responses. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    Code: { type: 'integer', description: 'HTTP status of the response.' },
    Message: {
      type: 'string',
      description: 'Reason of the error. For invalid values, the expected value of each field, separated by `; `.',
    },
    Timestamp: { type: 'integer', format: 'unix-time', description: 'Time of the response.' },
    RequestId: { type: 'integer', description: 'Number of the request in the log of the service.' },
  },
  required: ['Code', 'Message', 'Timestamp', 'RequestId'],
  additionalProperties: false,
};

/** Header of errors that are temporary. */
export const retryAfter = {
  'Retry-After': { description: 'Number of seconds after which to retry.', schema: { type: 'integer' } },
};
