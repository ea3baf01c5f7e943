import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginInlineTrace } from '@apollo/server/plugin/inlineTrace';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type RequestHandler, type Router } from 'express';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf } from '../../kernel/declare/errors.js';
import { metering } from '../../kernel/monitoring/metering.js';
import type { Module } from '../../kernel/serve/module.js';
import { tracing } from '../../kernel/tracing.js';
import { contextOf } from '../context.js';
import { createErrorMask, tagWithClient } from '../errors/mask.js';
import { graphqlBody, limitConcurrency } from '../http/body.js';
import { clientOf } from '../http/client.js';
import { admittedCallerOf, permitCaching, trackClient } from '../http/query-cache.js';
import { headerReaderOf } from '../http/request-headers.js';
import { limitsMiddleware } from '../limits/limits-middleware.js';
import { maxTokens } from '../limits/request-limits.js';
import { consistencyHeader, subgraphConsistency } from '../read-your-writes/index.js';
import { Callbacks } from '../subscriptions/callback.js';
import type { SubscriptionOptions } from '../subscriptions/subgraph-subscriptions.js';
import { operationChecksPlugin, operationTracingPlugin, responseErrorsPlugin, withApolloStatus } from './apollo-plugins.js';
import { ownershipOf } from './ownership.js';
import { subgraphOf } from './subgraph.js';
import { requireRouterSecret } from './subgraph-gate.js';

export interface SubgraphOptions extends Omit<SubscriptionOptions, 'callbacks'> {
  schema: GraphQLSchema;
  /** Names of the modules in the schema. Default: all modules. */
  builtNames?: readonly string[];
  modules: readonly Module[];
  /** Names of the modules to serve. */
  names: readonly string[];
  routerSecrets: readonly string[];
  inlineTracing: boolean;
}

export interface Subgraphs {
  router: Router;
  stop(): Promise<void>;
}

/**
 * Adds the HTTP status of the error code to an error, as `/graphql` does, and throws the error. Used for errors that occur before an
 * operation runs, such as an invalid token.
 */
function throwWithStatus(error: unknown): never {
  throw codeOf(error) && error instanceof GraphQLError ? withApolloStatus(error) : error;
}

/**
 * Plugin that counts operations, and records facts about requests for the log. Also records the client of each error for the error masks,
 * which do not receive the request.
 */
const requestTracking: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      for (const error of errors) tagWithClient(error, contextValue.client);
    },
    didResolveOperation: async ({ operation, contextValue: { client } }) => {
      if (client.facts)
        client.facts.operation = { type: operation?.operation ?? 'none', name: operation?.name?.value, rootFields: [] };
    },
    executionDidStart: async ({ operation, contextValue: { client } }) => {
      const startTime = performance.now();
      return {
        executionDidEnd: async () =>
          metering?.operation(client.header, operation.operation, (performance.now() - startTime) / 1000),
      };
    },
    willSendResponse: async ({ operation, contextValue, response: { body } }) => {
      if (operation?.operation === 'query' && body.kind === 'single' && !body.singleResult.errors)
        permitCaching(contextValue.client);
    },
  }),
};

/** Returns the request handlers for subscriptions. Their code is imported only if the subgraph has subscriptions. */
const subscriptionHandlers = async (
  path: string,
  subgraph: GraphQLSchema,
  options: SubscriptionOptions,
): Promise<RequestHandler[]> =>
  subgraph.getSubscriptionType()
    ? [(await import('../subscriptions/subgraph-subscriptions.js')).subscriptionsTo(path, subgraph, options)]
    : [];

/**
 * Creates the routes `/subgraphs/<module>`. On each route, Apollo Server serves the part of the graph that the module owns. Authentication,
 * policies, limits and errors are the same as in `/graphql`.
 */
export async function createSubgraphs(options: SubgraphOptions): Promise<Subgraphs> {
  const { schema, builtNames, modules, names, resources, log, admit, routerSecrets, inlineTracing, trust } = options;
  const ownership = ownershipOf(modules, builtNames);
  const router = express.Router();
  router.use('/subgraphs', requireRouterSecret(routerSecrets));
  const servers: ApolloServer<Context>[] = [];
  const callbacks = new Callbacks();
  for (const name of names) {
    const subgraph = subgraphOf(schema, ownership, name);
    const mask = createErrorMask(subgraph, log);
    const server = new ApolloServer<Context>({
      schema: subgraph,
      parseOptions: { maxTokens },
      // Introspection is allowed in all environments, because only routers have access.
      introspection: true,
      includeStacktraceInErrorResponses: false,
      formatError: (_, error) => {
        const { extensions: { http, ...extensions } = {}, ...properties } = mask(error).toJSON();
        return { ...properties, extensions };
      },
      plugins: [
        operationChecksPlugin,
        subgraphConsistency(resources.readYourWrites),
        responseErrorsPlugin,
        requestTracking,
        ...(tracing ? [operationTracingPlugin] : []),
        ApolloServerPluginLandingPageDisabled(),
        inlineTracing ? ApolloServerPluginInlineTrace() : ApolloServerPluginInlineTraceDisabled(),
      ],
      stopOnTerminationSignals: false,
      logger: { debug: () => {}, info: () => {}, warn: (text) => log.warn(text), error: (text) => log.error(text) },
    });
    await server.start();
    servers.push(server);
    const context = async ({ req, res }: { req: express.Request; res: express.Response }): Promise<Context> => {
      const header = (key: string) => headerReaderOf(req.headers)(key.toLowerCase());
      const client = trackClient(req, clientOf(req, res, trust, header));
      const caller = await (admittedCallerOf(req) ?? admit(header, client.facts)).catch((error: unknown) =>
        throwWithStatus(tagWithClient(error, client)),
      );
      const context = contextOf(resources, caller, 'read', client);
      await resources.readYourWrites.waitForWrite(context.sql, header(consistencyHeader));
      return context;
    };
    const path = `/subgraphs/${name}`;
    router.use(
      path,
      graphqlBody(),
      await subscriptionHandlers(path, subgraph, { ...options, callbacks }),
      limitConcurrency(resources.databaseLimiter),
      limitsMiddleware(subgraph, mask),
      expressMiddleware(server, { context }),
    );
  }
  return {
    router,
    stop: async () => {
      await Promise.all([callbacks.stop(), ...servers.map((server) => server.stop())]);
    },
  };
}
