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
 * Builds the schema of the given modules, for a process that serves only their subgraphs. type-graphql caches fields globally, so
 * a process can build either this or the full schema.
 */
export const buildPartialGraph = (names: readonly string[]): GraphQLSchema => withDescriptions(buildGraph(modules, names));

function withDescriptions(schema: GraphQLSchema): GraphQLSchema {
  schema.description = schemaDescription;
  for (const [type, text] of [
    // Composition drops the description of a schema, so it is repeated on `Query`.
    [schema.getQueryType(), `Everything that can be read.\n\n${schemaDescription}`],
    [
      schema.getMutationType(),
      'Everything that can be changed. The fields of an operation run in order, and an error does not undo the fields before it. See the description of `Query` for headers, errors and limits.',
    ],
    [
      schema.getSubscriptionType(),
      'Events about changes, over server-sent events or WebSocket. An operation has one field. Each event has a cursor, with which a new subscription resumes after it. Every committed change is sent, and the changes of a record are sent in order. After a reconnect, a change may be sent twice, with the same cursor.',
    ],
  ] as const)
    if (type) type.description = text;
  return schema;
}
