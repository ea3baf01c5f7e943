import type { JsonSchema } from '../../engine/bind/json.js';

/** The body of every refusal. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    Code: { type: 'integer', description: 'The status of the answer.' },
    Message: {
      type: 'string',
      description: 'What is wrong; of bad input each field and what was expected of it, with `; ` between them.',
    },
    Timestamp: { type: 'integer', format: 'unix-time', description: 'When it was refused.' },
    RequestId: { type: 'integer', description: 'The number of the request, by which operators find it in the log.' },
  },
  required: ['Code', 'Message', 'Timestamp', 'RequestId'],
  additionalProperties: false,
};

/** Tells when it makes sense to try again. */
export const retryAfter = {
  'Retry-After': { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer' } },
};
