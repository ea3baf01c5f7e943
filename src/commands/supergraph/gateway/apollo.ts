import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { GraphQLError, print } from 'graphql';
import type { PlannedRun, StartEngine } from './engine.js';
import { moveErrorsToNulls } from './list-errors.js';
import { subgraphClient } from './subgraph.js';

/** Starts `@apollo/gateway`. Its query planner is the reference implementation of Apollo Federation. */
export const startApollo: StartEngine = async (supergraphSdl, options) => {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name, url = '' }) => {
      const request = subgraphClient(name, url, options);
      return {
        process: async ({ request: { query = '', variables, operationName }, context }) => {
          const { data, errors } = await request({ query, variables, operationName }, context);
          return { ...(data === undefined ? {} : { data }), ...(errors ? { errors } : {}) };
        },
      };
    },
  });
  const server = new ApolloServer<PlannedRun>({
    gateway,
    plugins: [ApolloServerPluginLandingPageDisabled()],
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
  });
  await server.start();
  return {
    async execute({ document, operationName, variables }, contextValue) {
      const request = { query: print(document), variables, ...(operationName ? { operationName } : {}) };
      const { body } = await server.executeOperation(request, { contextValue });
      if (body.kind !== 'single') throw new Error('The gateway returned an incremental response, which is not supported.');
      const { data, errors } = body.singleResult;
      return moveErrorsToNulls({
        ...(data === undefined ? {} : { data }),
        ...(errors
          ? { errors: errors.map(({ message, path, extensions }) => new GraphQLError(message, { path, extensions })) }
          : {}),
      });
    },
    stop: () => server.stop(),
  };
};
