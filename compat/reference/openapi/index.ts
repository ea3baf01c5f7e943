import type { JsonSchema } from '../../engine/bind/json.js';
import type { Reference, ReferenceOperation } from '../operation.js';
import { schemasIn } from '../schemas.js';
import { errorSchema } from './errors.js';
import { operationObject } from './operation.js';
import { idempotencyKey } from './parameters.js';

export interface DocumentOptions {
  /** Origin of the service. */
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
  `The legacy REST interface for platforms. Each operation runs a GraphQL operation, which its code samples contain. The extension
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
      schemas: schemasIn(paths, (name) => schemasByName[name]),
      ...(hasWrites ? { parameters: { IdempotencyKey: idempotencyKey } } : {}),
      securitySchemes,
    },
  };
}
