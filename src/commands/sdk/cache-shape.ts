import { buildSchema, type GraphQLObjectType, getNamedType, isAbstractType, isObjectType } from 'graphql';
import type { CacheShape } from '../../sdk/caches.js';

const cursors = new Set(['after', 'before']);
/** Mutations that delete the record that they return, in addition to all `delete…` mutations. */
const deleting = new Set(['removeFavorite', 'unreact', 'cancelGame', 'withdraw', 'withdrawRegistration', 'undoDeprecation']);
const isEntity = (type: GraphQLObjectType): boolean => String(type.getFields().id?.type) === 'ID!';
const isConnection = (type: GraphQLObjectType): boolean => 'pageInfo' in type.getFields();

/** Facts about the schema that normalized caches need. */
export function cacheShapeOf(sdl: string): CacheShape {
  const schema = buildSchema(sdl);
  const { Query, Mutation, Subscription, ...types } = schema.getTypeMap();
  const objects = Object.values(types).filter((type) => isObjectType(type) && !type.name.startsWith('__')) as GraphQLObjectType[];
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  const lists = [...(query ? [query] : []), ...objects].map((type) => {
    const fields = Object.values(type.getFields()).flatMap(({ name, type: returned, args }) => {
      const connection = getNamedType(returned);
      if (!isObjectType(connection) || !isConnection(connection)) return [];
      return [[name, args.map((arg) => arg.name).filter((arg) => !cursors.has(arg))] as const];
    });
    return [type.name, Object.fromEntries(fields)] as const;
  });
  const deletions = Object.values(mutation?.getFields() ?? {})
    .filter(({ name }) => name.startsWith('delete') || deleting.has(name))
    .map(({ name, type }) => [name, getNamedType(type).name] as const);
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
  };
}

/** The module `caches.js` of the SDK. */
export const cachesCode = (
  sdl: string,
): string => `import { apolloOptions, relayOptions, schemaConfig, urqlOptions } from './cache-options.js';

const shape = ${JSON.stringify(cacheShapeOf(sdl))};

export const { possibleTypes, typePolicies } = apolloOptions(shape);
export const { keys, updates } = urqlOptions(shape);
export const { getDataID } = relayOptions(shape);
export { schemaConfig };
`;

/** The types of `caches.js`. */
export const cachesTypes = `import type { ApolloOptions, RelayOptions, UrqlOptions } from './types/src/sdk/caches.js';

export { schemaConfig } from './types/src/sdk/caches.js';

/** Options of \`InMemoryCache\` of \`@apollo/client\`. */
export declare const possibleTypes: ApolloOptions['possibleTypes'];
export declare const typePolicies: ApolloOptions['typePolicies'];

/** Options of \`cacheExchange\` of \`@urql/exchange-graphcache\`. */
export declare const keys: UrqlOptions['keys'];
export declare const updates: UrqlOptions['updates'];

/** Option of \`Environment\` of \`relay-runtime\`. */
export declare const getDataID: RelayOptions['getDataID'];
`;
