import type { GraphQLSchema } from 'graphql';
import { buildGraph } from '../kernel/serve/schema.js';
import { modules } from '../modules/index.js';
import { schemaDescription } from './schema-description.js';

let whole: GraphQLSchema | undefined;

/** The one executable schema of all modules, built once a process. */
export function graphOfModules(): GraphQLSchema {
  whole ??= described(buildGraph(modules));
  return whole;
}

/**
 * What some modules alone add to it, for a process that serves nothing but their subgraphs. type-graphql keeps the fields that it has
 * built: a process builds all, or one part.
 */
export const partOfGraph = (names: readonly string[]): GraphQLSchema => described(buildGraph(modules, names));

function described(schema: GraphQLSchema): GraphQLSchema {
  schema.description = schemaDescription;
  for (const [type, text] of [
    // Composition leaves out the description of a schema, so that routers would not have it.
    [schema.getQueryType(), `Everything that can be read.\n\n${schemaDescription}`],
    [
      schema.getMutationType(),
      'Everything that can be changed. The fields of one operation run one after the other, and what one has done stays. Headers, errors and limits are told by the description of `Query`.',
    ],
    [
      schema.getSubscriptionType(),
      'What is told as it changes, over server-sent events or WebSocket, one field an operation. Every event has a cursor, with which a subscription goes on where another one ended. Nothing that is committed is left out, and each record is told of in the order of its changes; a change may be told twice after a reconnect, with the same cursor.',
    ],
  ] as const)
    if (type) type.description = text;
  return schema;
}
