import type { Auth } from '../../engine/route.js';
import type { ReferenceExample, ReferenceOperation } from '../operation.js';
import { curlOf, firstSample, graphqlOf, sampleOf, typescriptOf } from '../samples.js';
import { retryAfter } from './errors.js';
import { parametersOf } from './parameters.js';

const security: Readonly<Record<Auth, readonly object[]>> = {
  platform: [{ platform: [] }],
  user: [{ user: [] }],
  either: [{ platform: [] }, { user: [] }],
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
      ? { headers: { ETag: { description: 'Tag of the response, for `If-None-Match`.', schema: { type: 'string' } } } }
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
export function operationObject(operation: ReferenceOperation, origin: string): object {
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
