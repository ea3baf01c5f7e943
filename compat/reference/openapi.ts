import type { JsonSchema } from '../engine/bind/json.js';
import type { Auth } from '../engine/route.js';
import type { Reference, ReferenceExample, ReferenceOperation, ReferenceParameter } from './operation.js';
import { curlOf, firstSample, graphqlOf, parameterValue, type Sample, sampleOf, typescriptOf } from './samples.js';
import { graphKey, referencedSchemas } from './schemas.js';

/** JSON Schema of all error responses. */
const errorSchema: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    Code: { type: 'integer', description: 'HTTP status of the response.' },
    Message: {
      type: 'string',
      description: 'Reason for the error. For invalid values: the invalid fields with their expected values, separated by `; `.',
    },
    Timestamp: { type: 'integer', format: 'unix-time', description: 'Time of the response, in Unix seconds.' },
    RequestId: { type: 'integer', description: 'Number that identifies the request in the service log.' },
  },
  required: ['Code', 'Message', 'Timestamp', 'RequestId'],
  additionalProperties: false,
};

/** Headers of temporary errors. */
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
};

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
    ...(example === undefined ? {} : { example: parameterValue(example, schema) }),
    ...(coordinate ? { [graphKey]: coordinate } : {}),
  };
}

/** OpenAPI parameter of all operations except GET. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Unique key that the client chooses for the request. A repeated request with the same key does not run again and returns the first response.',
  schema: { type: 'string' },
};

/** Returns the OpenAPI parameters of an operation. Methods other than GET also have the idempotency key. */
const parametersOf = ({ parameters, method }: ReferenceOperation, sample: Sample): unknown[] => [
  ...parameters.map((parameter) => parameterOf(parameter, sample)),
  ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
];

const security: Readonly<Record<Auth, readonly object[]>> = {
  platform: [{ platform: [] }],
  user: [{ user: [] }],
  platformOrUser: [{ platform: [] }, { user: [] }],
  anyone: [],
};

const namedExamples = (examples: readonly ReferenceExample[], value: (example: ReferenceExample) => unknown) => {
  const examplesWithValue = examples.filter((example) => value(example) !== undefined && value(example) !== null);
  return examplesWithValue.length
    ? {
        examples: Object.fromEntries(
          examplesWithValue.map((example) => [example.name, { summary: example.title, value: value(example) }]),
        ),
      }
    : {};
};

const content = (schema: unknown, examples: object) => ({ 'application/json': { schema, ...examples } });

function responsesOf({ responses, errors, examples }: ReferenceOperation) {
  const hasTag = responses.some(({ status }) => status === 304);
  const examplesOf = (status: number) =>
    namedExamples(
      examples.filter(({ response }) => response.status === status),
      ({ response }) => response.body,
    );
  const successes = responses.map(({ status, meaning, schema }) => ({
    status,
    description: meaning,
    ...(hasTag && status === 200
      ? { headers: { ETag: { description: 'Entity tag of the response, for `If-None-Match`.', schema: { type: 'string' } } } }
      : {}),
    ...(schema ? { content: content(schema, examplesOf(status)) } : {}),
  }));
  const failures = errors.map(({ status, meaning }) => ({
    status,
    description: meaning,
    ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
    content: content({ $ref: '#/components/schemas/Error' }, examplesOf(status)),
  }));
  return Object.fromEntries([...successes, ...failures].map(({ status, ...response }) => [String(status), response]));
}

function requestOf({ request, examples }: ReferenceOperation) {
  if (!request) return {};
  const successfulExamples = examples.filter(({ response }) => response.status < 400);
  return {
    requestBody: {
      required: Array.isArray(request.schema.required) || Array.isArray(request.schema.allOf),
      content: content(
        request.schema,
        namedExamples(successfulExamples, (example) => example.request.body),
      ),
    },
  };
}

/** Returns the OpenAPI object of an operation. */
function operationObject(operation: ReferenceOperation, origin: string): object {
  const { name, group, summary, callers, decisions, auth } = operation;
  const sample = firstSample(operation);
  const decisionList = decisions.map(({ number, title }) => `${number} (${title})`).join(', ');
  return {
    operationId: name,
    tags: [group],
    summary: summary.replace(/\.$/, ''),
    description: `${callers}\n\nCompatibility notes: ${decisionList}.`,
    security: security[auth],
    parameters: parametersOf(operation, sampleOf(operation)),
    ...requestOf(operation),
    responses: responsesOf(operation),
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlOf(operation, sample, origin) },
      ...graphqlOf(operation).map((source, index, { length }) => ({
        lang: 'GraphQL',
        label: length > 1 ? `GraphQL (${index + 1})` : 'GraphQL',
        source,
      })),
      { lang: 'TypeScript', label: 'TypeScript', source: typescriptOf(operation, sample, origin) },
    ],
  };
}

export interface DocumentOptions {
  /** Origin of the service, such as `https://play.example`. */
  readonly origin: string;
  /** Operations to include, as `METHOD /path`. Default: all. */
  readonly only?: ReadonlySet<string>;
}

const securitySchemes = {
  platform: {
    type: 'apiKey',
    in: 'header',
    name: 'PB-API-TOKEN',
    description: 'Token or publishable key of a platform.',
  },
  user: { type: 'apiKey', in: 'header', name: 'PB-USER-TOKEN', description: 'Token of a signed-in user.' },
};

const description =
  `Legacy REST interface for platforms. Each operation runs a GraphQL operation, which is shown in the code samples. The extension
\`x-graphql\` contains the GraphQL schema coordinate of a value. New clients should use the GraphQL API at \`/graphql\`.`.replaceAll(
    '\n',
    ' ',
  );

/** Returns the OpenAPI document of the legacy interface. */
export function openApiDocument({ groups, schemas }: Reference, { origin, only }: DocumentOptions) {
  const keyOf = ({ method, path }: ReferenceOperation) => `${method} ${path}`;
  const includedGroups = groups
    .map((group) => ({ ...group, operations: group.operations.filter((operation) => only?.has(keyOf(operation)) ?? true) }))
    .filter(({ operations }) => operations.length);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of includedGroups.flatMap(({ operations }) => operations)) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, origin) };
  }
  const schemasByName: Readonly<Record<string, JsonSchema>> = { ...schemas, Error: errorSchema };
  const hasWrites = includedGroups.some(({ operations }) => operations.some(({ method }) => method !== 'GET'));
  return {
    openapi: '3.1.0',
    info: { title: 'Courtside', version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: origin }],
    tags: includedGroups.map(({ title, description }) => ({ name: title, description })),
    paths,
    components: {
      schemas: referencedSchemas(paths, (name) => schemasByName[name]),
      ...(hasWrites ? { parameters: { IdempotencyKey: idempotencyKey } } : {}),
      securitySchemes,
    },
  };
}
