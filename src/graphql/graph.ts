import type { GraphQLSchema } from 'graphql';
import { buildGraph } from '../kernel/serve/schema.js';
import { modules } from '../modules/index.js';
import { schemaDescription } from './schema-description.js';

let graph: GraphQLSchema | undefined;

/** Returns the executable schema of all modules. It is built once per process. */
export function graphOfModules(): GraphQLSchema {
  graph ??= withDescriptions(buildGraph(modules));
  return graph;
}

/**
 * Builds the schema of some modules, for a process that serves only their subgraphs. type-graphql caches fields globally, so a
 * process can build either this schema or the full one.
 */
export const buildPartialGraph = (names: readonly string[]): GraphQLSchema => withDescriptions(buildGraph(modules, names));

function withDescriptions(schema: GraphQLSchema): GraphQLSchema {
  schema.description = schemaDescription;
  for (const [type, text] of [
    // Composition drops the description of a schema, so it is repeated on `Query`.
    [schema.getQueryType(), `All queries.\n\n${schemaDescription}`],
    [
      schema.getMutationType(),
      'All mutations. The fields of an operation run in order, and an error does not undo the fields before it. See the description of `Query` for headers, errors and limits.',
    ],
    [
      schema.getSubscriptionType(),
      'All subscriptions, over server-sent events or WebSocket. An operation has one field. To resume after an event, pass its cursor to a new subscription. Every committed change is sent, and the changes of a record are sent in order. After a reconnect, a change may be sent twice, with the same cursor.',
    ],
  ] as const)
    if (type) type.description = text;
  return schema;
}
