import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { CacheShape } from '../../sdk/caches.js';

const cursors = new Set(['after', 'before']);
/** Mutations that delete the record in their result, in addition to the mutations named `delete…`. */
const deletingMutations = new Set([
  'removeFavorite',
  'unreact',
  'cancelGame',
  'withdraw',
  'withdrawRegistration',
  'undoDeprecation',
]);
/** Foreign keys in mutation results that can refer to deleted records, keyed by mutation. */
const deletedRecordKeys: Readonly<Record<string, readonly string[]>> = {
  withdraw: ['teamId', 'registrationId', 'partnerRegistrationId'],
  deleteEventRegistration: ['teamId', 'registrationId', 'partnerRegistrationId'],
};
const isEntity = (type: GraphQLObjectType): boolean => String(type.getFields().id?.type) === 'ID!';
const isConnection = (type: GraphQLObjectType): boolean => 'pageInfo' in type.getFields();

/**
 * Returns the type of the deleted records that a field of a mutation result identifies. Examples: `Team` for `deletedTeamIds`, or for
 * `teamId` if `deletedRecordKeys` contains it. Null for other fields.
 */
function deletedType(schema: GraphQLSchema, type: GraphQLObjectType, field: string, mutation: string): string | null {
  const [, name] = /^deleted(\w+)Ids$/.exec(field) ?? [];
  if (name && schema.getType(name)) return name;
  const relation = deletedRecordKeys[mutation]?.includes(field) ? type.getFields()[field.replace(/Id$/, '')] : undefined;
  return relation ? getNamedType(relation.type).name : null;
}

/** Returns the types of the records that a mutation deletes, keyed by the result field that contains their IDs. */
function deletedIdsOf(schema: GraphQLSchema, { name: mutation, type }: GraphQLField<unknown, unknown>): Record<string, string> {
  const result = getNamedType(type);
  const fields = isObjectType(result)
    ? Object.keys(result.getFields()).map((field) => [field, deletedType(schema, result, field, mutation)])
    : [];
  return Object.fromEntries(fields.filter(([, type]) => type));
}

/** Extracts from a schema what normalized caches need to know: its unions, connections, lists and deletions. */
export function cacheShapeOf(sdl: string): CacheShape {
  const schema = buildSchema(sdl);
  const { Query, Mutation, Subscription, ...types } = schema.getTypeMap();
  const objects = Object.values(types).filter((type) => isObjectType(type) && !type.name.startsWith('__')) as GraphQLObjectType[];
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  const lists = [...(query ? [query] : []), ...objects].map((type) => {
    const fields = Object.values(type.getFields()).flatMap(({ name, type: resultType, args }) => {
      const connection = getNamedType(resultType);
      if (!isObjectType(connection) || !isConnection(connection)) return [];
      return [[name, args.map((arg) => arg.name).filter((arg) => !cursors.has(arg))] as const];
    });
    return [type.name, Object.fromEntries(fields)] as const;
  });
  const deletions = Object.values(mutation?.getFields() ?? {})
    .filter(({ name }) => name.startsWith('delete') || deletingMutations.has(name))
    .map(({ name, type }) => [name, getNamedType(type).name] as const);
  const deletedIds = Object.values(mutation?.getFields() ?? {}).map(
    (field) => [field.name, deletedIdsOf(schema, field)] as const,
  );
  return {
    possibleTypes: Object.fromEntries(
      Object.values(types)
        .filter(isAbstractType)
        .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
    ),
    values: objects.filter((type) => !isEntity(type) && !isConnection(type)).map(({ name }) => name),
    connections: objects.filter(isConnection).map(({ name }) => name),
    lists: Object.fromEntries(lists.filter(([, fields]) => Object.keys(fields).length > 0)),
    deletions: Object.fromEntries(deletions),
    deletedIds: Object.fromEntries(deletedIds.filter(([, fields]) => Object.keys(fields).length > 0)),
  };
}

/** Returns the code of the SDK module `caches.js`. */
export const cacheModule = (
  sdl: string,
): string => `import { apolloOptions, relayOptions, schemaConfig, urqlOptions } from './cache-options.js';

const shape = ${JSON.stringify(cacheShapeOf(sdl))};

export const { possibleTypes, typePolicies } = apolloOptions(shape);
export const { keys, updates } = urqlOptions(shape);
export const { getDataID } = relayOptions(shape);
export { schemaConfig };
`;

/** Type declarations of the SDK module `caches.js`. */
export const cacheDeclarations = `import type { ApolloOptions, RelayOptions, UrqlOptions } from './types/src/sdk/caches.js';

export { schemaConfig } from './types/src/sdk/caches.js';

/** Options for \`InMemoryCache\` of \`@apollo/client\`. */
export declare const possibleTypes: ApolloOptions['possibleTypes'];
export declare const typePolicies: ApolloOptions['typePolicies'];

/** Options for \`cacheExchange\` of \`@urql/exchange-graphcache\`. */
export declare const keys: UrqlOptions['keys'];
export declare const updates: UrqlOptions['updates'];

/** Option for \`Environment\` of \`relay-runtime\`. */
export declare const getDataID: RelayOptions['getDataID'];
`;
