import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginInlineTrace } from '@apollo/server/plugin/inlineTrace';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type RequestHandler, type Router } from 'express';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context } from '../kernel/declare/context.js';
import { codeOf } from '../kernel/declare/errors.js';
import { metering } from '../kernel/metering.js';
import type { Module } from '../kernel/serve/module.js';
import { tracing } from '../kernel/tracing.js';
import { answeredByStatus } from './answered-by-status.js';
import { graphqlBody, inItsTurn } from './body.js';
import { clientOf } from './client.js';
import { contextOf } from './context.js';
import { inRequest } from './error-requests.js';
import { headersOf } from './headers.js';
import { maxTokens } from './limits.js';
import { limitsFirst } from './limits-first.js';
import { Callbacks } from './live/callback.js';
import type { SubscriptionOptions } from './live/of-subgraph.js';
import { masking } from './mask.js';
import { ownershipOf } from './ownership.js';
import { consistencyHeader } from './read-your-writes/index.js';
import { ofRouters } from './read-your-writes/plugins.js';
import { subgraphOf } from './subgraph.js';
import { checks } from './subgraph-checks.js';
import { routersOnly } from './subgraph-gate.js';
import { oncePlugin } from './tell-once.js';
import { tracedOperations } from './traced-operations.js';

export interface SubgraphOptions extends Omit<SubscriptionOptions, 'callbacks'> {
  schema: GraphQLSchema;
  /** Names of the modules of which the schema is built, where these are not all. */
  built?: readonly string[];
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

/** What is wrong with the token headers comes before there is an operation, and is the status of the answer, as elsewhere. */
function refuse(error: unknown): never {
  throw codeOf(error) && error instanceof GraphQLError ? answeredByStatus(error) : error;
}

/** Errors are masked without their request, whose number the log is to have. */
const requestsOfErrors: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      for (const error of errors) inRequest(error, contextValue.client.requestId);
    },
    didResolveOperation: async ({ operation, contextValue }) =>
      metering?.operation(contextValue.client.header, operation?.operation ?? 'none'),
  }),
};

/** What answers the subscriptions to a subgraph: loaded only where there are any. */
const streaming = async (path: string, subgraph: GraphQLSchema, options: SubscriptionOptions): Promise<RequestHandler[]> =>
  subgraph.getSubscriptionType() ? [(await import('./live/of-subgraph.js')).subscriptionsTo(path, subgraph, options)] : [];

/** `/subgraphs/<module>`: each module's part of the graph by Apollo Server, with the callers, policies, limits and errors of `/graphql`. */
export async function createSubgraphs(options: SubgraphOptions): Promise<Subgraphs> {
  const { schema, built, modules, names, resources, log, identify, routerSecrets, inlineTracing, trust } = options;
  const ownership = ownershipOf(modules, built);
  const router = express.Router();
  router.use('/subgraphs', routersOnly(routerSecrets));
  const servers: ApolloServer<Context>[] = [];
  const callbacks = new Callbacks();
  for (const name of names) {
    const subgraph = subgraphOf(schema, ownership, name);
    const mask = masking(subgraph, log);
    const server = new ApolloServer<Context>({
      schema: subgraph,
      parseOptions: { maxTokens },
      // Behind the gate, and everywhere alike: by default it hangs on NODE_ENV.
      introspection: true,
      includeStacktraceInErrorResponses: false,
      formatError: (_, error) => {
        const { extensions: { http, ...extensions } = {}, ...answer } = mask(error).toJSON();
        return { ...answer, extensions };
      },
      plugins: [
        checks,
        ofRouters(resources.readYourWrites),
        oncePlugin,
        requestsOfErrors,
        ...(tracing ? [tracedOperations] : []),
        ApolloServerPluginLandingPageDisabled(),
        inlineTracing ? ApolloServerPluginInlineTrace() : ApolloServerPluginInlineTraceDisabled(),
      ],
      stopOnTerminationSignals: false,
      logger: { debug: () => {}, info: () => {}, warn: (text) => log.warn(text), error: (text) => log.error(text) },
    });
    await server.start();
    servers.push(server);
    const context = async ({ req, res }: { req: express.Request; res: express.Response }): Promise<Context> => {
      const header = (key: string) => headersOf(req.headers)(key.toLowerCase());
      const client = clientOf(req, res, trust, header);
      const caller = await identify(header).catch((error: unknown) => refuse(inRequest(error, client.requestId)));
      metering?.caller(res, caller);
      const context = contextOf(resources, caller, 'read', client);
      await resources.readYourWrites.after(context.sql, header(consistencyHeader));
      return context;
    };
    const path = `/subgraphs/${name}`;
    router.use(
      path,
      graphqlBody(),
      await streaming(path, subgraph, { ...options, callbacks }),
      inItsTurn(resources.atWork),
      limitsFirst(subgraph, mask),
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
