import { createHash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, GraphQLError, print } from 'graphql';
import type { PlannedRun, StartEngine } from './engine.js';
import { moveErrorsToNulls } from './list-errors.js';
import { type SubgraphRequest, subgraphClient } from './subgraph.js';
import { loadTestTool } from './test-tools.js';

/** A GraphQL request, as `@apollo/gateway` receives it or sends it to a subgraph. */
type GatewayRequest = Omit<SubgraphRequest, 'query' | 'document'> & { query?: string };

/** The parts of `@apollo/gateway` that are used here. */
interface ApolloPackage {
  ApolloGateway: new (config: {
    supergraphSdl: string;
    buildService(definition: { name: string; url?: string }): {
      process(options: { request: GatewayRequest; context: PlannedRun }): Promise<ExecutionResult>;
    };
  }) => {
    load(): Promise<{
      executor(operation: {
        request: GatewayRequest;
        document: DocumentNode;
        /** Key of the query plan in the cache of the gateway. */
        queryHash: string;
        context: PlannedRun;
        /** The gateway writes measurements to this object. */
        metrics: object;
      }): Promise<ExecutionResult>;
    }>;
    stop(): Promise<void>;
  };
}

/**
 * Starts `@apollo/gateway`, whose query planner is the reference implementation of Apollo Federation, and calls it without `ApolloServer`, as
 * described in `@apollo/server-gateway-interface`. The gateway uses the copy of `graphql` in `test/tools`. It therefore accepts documents from
 * the service's copy, but not schema objects.
 */
export const startApollo: StartEngine = async (supergraphSdl, options) => {
  const { ApolloGateway } = loadTestTool('@apollo/gateway') as ApolloPackage;
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
  const { executor } = await gateway.load();
  return {
    async execute({ document, operationName, variables }, context) {
      const queryHash = createHash('sha256').update(print(document)).digest('hex');
      const { data, errors } = await executor({
        request: { variables, operationName },
        document,
        queryHash,
        context,
        metrics: {},
      });
      return moveErrorsToNulls({
        ...(data === undefined ? {} : { data }),
        ...(errors
          ? { errors: errors.map(({ message, path, extensions }) => new GraphQLError(message, { path, extensions })) }
          : {}),
      });
    },
    stop: () => gateway.stop(),
  };
};
