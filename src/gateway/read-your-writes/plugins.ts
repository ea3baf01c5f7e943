import type { ApolloServerPlugin } from '@apollo/server';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { consistencyHeader, type ReadYourWrites } from './index.js';

/** Has the answer to a mutation at `/graphql` tell up to where it wrote. */
export const tellsWrites = (consistency: ReadYourWrites): Plugin<Context> => ({
  onExecute({ args, context }) {
    if (!consistency.pools.hasReplicas) return undefined;
    if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return undefined;
    return {
      async onExecuteDone({ result }) {
        const token = await consistency.written(context.sql);
        if (token === null || !('data' in result || 'errors' in result)) return;
        result.extensions = { ...result.extensions, http: { headers: { [consistencyHeader]: token } } };
      },
    };
  },
});

/**
 * The same in a subgraph. A router that asks for entities without the header may do so on behalf of a mutation, which nothing that it sends
 * tells: they are read from the primary.
 */
export const ofRouters = (consistency: ReadYourWrites): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ source, contextValue: { client, sql } }) => {
      if (!consistency.pools.hasReplicas || client.header(consistencyHeader) !== undefined) return;
      if (source.includes('_entities')) sql.writes();
    },
    willSendResponse: async ({ operation, contextValue: { sql }, response: { http } }) => {
      if (operation?.operation !== 'mutation') return;
      const token = await consistency.written(sql);
      if (token !== null) http.headers.set(consistencyHeader, token);
    },
  }),
});
