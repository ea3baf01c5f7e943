import { Ajv } from 'ajv';

const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const pairs = { type: 'array', items: object({ name: text, value: text }) };
const message = { httpVersion: text, cookies: { type: 'array' }, headers: pairs, headersSize: number, bodySize: number };

/** Required properties of HAR 1.2, according to its specification. */
const specification = object({
  log: object({
    version: { const: '1.2' },
    creator: object({ name: text, version: text }),
    entries: {
      type: 'array',
      items: object({
        startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*(Z|[+-]\\d\\d:\\d\\d)$' },
        time: { type: 'number', minimum: 0 },
        request: {
          ...object({ method: text, url: text, ...message, queryString: pairs }),
          properties: {
            ...object({ method: text, url: text, ...message, queryString: pairs }).properties,
            postData: object({ mimeType: text, params: { type: 'array' }, text }),
          },
        },
        response: object({
          status: number,
          statusText: text,
          ...message,
          redirectURL: text,
          content: {
            ...object({ size: number, mimeType: text }),
            properties: { size: number, mimeType: text, text, encoding: text, comment: text },
          },
        }),
        cache: { type: 'object' },
        timings: object({ send: number, wait: number, receive: number }),
      }),
    },
  }),
});

const validate = new Ajv({ strict: false }).compile(specification);

/** Returns the violations of HAR 1.2 in the text of a HAR file. */
export const harProblems = (har: string): unknown[] => (validate(JSON.parse(har)) ? [] : (validate.errors ?? []));
