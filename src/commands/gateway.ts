import { once } from 'node:events';
import { createServer } from 'node:http';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { routerHeader } from '../gateway/subgraph-gate.js';
import { portOf } from '../port.js';
import { subgraphTimeout } from './subgraph-timeout.js';

/** Headers of callers that reach the subgraphs unchanged: tokens, and what publishable keys are judged and counted by. */
const passed = ['pb-api-token', 'pb-user-token', 'authorization', 'origin', 'x-forwarded-for'];

interface Incoming {
  headers?: Record<string, string | string[] | undefined>;
}

class Subgraph extends RemoteGraphQLDataSource<Incoming> {
  constructor(
    url: string | undefined,
    readonly secret: string,
    timeout: number,
  ) {
    super({
      ...(url ? { url } : {}),
      fetcher: (address, { body = '', ...request } = {}) =>
        fetch(address, { ...request, body: String(body), signal: AbortSignal.timeout(timeout) }),
    });
  }

  override willSendRequest({
    request,
    context,
  }: Parameters<NonNullable<RemoteGraphQLDataSource<Incoming>['willSendRequest']>>[0]): void {
    for (const name of passed) {
      const value = [context.headers?.[name]].flat()[0];
      if (value) request.http?.headers.set(name, value);
    }
    request.http?.headers.set(routerHeader, this.secret);
  }
}

/**
 * A gateway over a supergraph, for development and tests. `@apollo/gateway` is the reference implementation of the query planner that
 * routers use, and runs in Node without overrides of its dependencies; in production take a router.
 */
export async function startGateway(
  supergraphSdl: string,
  secret: string,
  { port = 0, timeout = subgraphTimeout }: { port?: number; timeout?: number } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const gateway = new ApolloGateway({ supergraphSdl, buildService: ({ url }) => new Subgraph(url, secret, timeout) });
  const server = new ApolloServer<Incoming>({
    gateway,
    plugins: [ApolloServerPluginLandingPageDisabled()],
    includeStacktraceInErrorResponses: false,
  });
  await server.start();
  const app = express();
  app.use(
    '/graphql',
    express.json({ limit: '1mb' }),
    expressMiddleware(server, { context: async ({ req }) => ({ headers: req.headers }) }),
  );
  const http = createServer(app).listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://localhost:${portOf(http)}/graphql`,
    stop: async () => {
      http.close();
      http.closeAllConnections();
      await server.stop();
    },
  };
}
