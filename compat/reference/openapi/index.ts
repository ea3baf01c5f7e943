import type { JsonSchema } from '../../engine/bind/json.js';
import type { Reference, ReferenceOperation } from '../operation.js';
import { schemasIn } from '../schemas.js';
import { errorSchema } from './errors.js';
import { operationObject } from './operation.js';
import { idempotencyKey } from './parameters.js';

export interface DocumentOptions {
  /** Where the service is reached. */
  readonly origin: string;
  /** Which operations it holds, by `METHOD /path`; without it all of them. */
  readonly only?: ReadonlySet<string>;
}

const securitySchemes = {
  platform: {
    type: 'apiKey',
    in: 'header',
    name: 'PB-API-TOKEN',
    description: 'The token of a platform, or a publishable key of it.',
  },
  user: { type: 'apiKey', in: 'header', name: 'PB-USER-TOKEN', description: 'The token that a user got by signing in.' },
};

const about =
  `The interface that platforms of the community call. Each operation runs a GraphQL operation, which stands beside it with the
place in the graph of every value (\`x-graphql\`); new clients call the graph itself, at \`/graphql\`.`.replaceAll('\n', ' ');

/** The legacy interface as an OpenAPI document, made of the reference and of nothing else. */
export function openApiDocument({ groups, schemas }: Reference, { origin, only }: DocumentOptions) {
  const keyOf = ({ method, path }: ReferenceOperation) => `${method} ${path}`;
  const shown = groups
    .map((group) => ({ ...group, operations: group.operations.filter((each) => only?.has(keyOf(each)) ?? true) }))
    .filter(({ operations }) => operations.length);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of shown.flatMap(({ operations }) => operations)) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, origin) };
  }
  const all: Readonly<Record<string, JsonSchema>> = { ...schemas, Error: errorSchema };
  const isChanging = shown.some(({ operations }) => operations.some(({ method }) => method !== 'GET'));
  return {
    openapi: '3.1.0',
    info: { title: 'Courtside', version: '1.0.0', description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: origin }],
    tags: shown.map(({ title, about: description }) => ({ name: title, description })),
    paths,
    components: {
      schemas: schemasIn(paths, (name) => all[name]),
      ...(isChanging ? { parameters: { IdempotencyKey: idempotencyKey } } : {}),
      securitySchemes,
    },
  };
}
