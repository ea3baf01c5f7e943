import type { ApolloServerPlugin } from '@apollo/server';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { consistencyHeader, type ReadYourWrites } from './index.js';

/** Yoga plugin that adds the consistency token to responses to mutations. */
export const sendWriteToken = (consistency: ReadYourWrites): Plugin<Context> => ({
  onExecute({ args, context }) {
    if (!consistency.pools.hasReplicas) return undefined;
    if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return undefined;
    return {
      async onExecuteDone({ result }) {
        const token = await consistency.currentToken(context.sql);
        if (token === null || !('data' in result || 'errors' in result)) return;
        result.extensions = { ...result.extensions, http: { headers: { [consistencyHeader]: token } } };
      },
    };
  },
});

/**
 * Apollo plugin that adds the consistency token to responses to mutations of subgraphs. `_entities` requests without a token read
 * from the primary, because a router may send them as part of a mutation.
 */
export const subgraphConsistency = (consistency: ReadYourWrites): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ source, contextValue: { client, sql } }) => {
      if (!consistency.pools.hasReplicas || client.header(consistencyHeader) !== undefined) return;
      if (source.includes('_entities')) sql.usePrimary();
    },
    willSendResponse: async ({ operation, contextValue: { sql }, response: { http } }) => {
      if (operation?.operation !== 'mutation') return;
      const token = await consistency.currentToken(sql);
      if (token !== null) http.headers.set(consistencyHeader, token);
    },
  }),
});
