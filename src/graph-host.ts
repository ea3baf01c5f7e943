import type { ServerResponse } from 'node:http';
import compression from 'compression';
import type { Express, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { isLegacy, type LegacyHandler, legacyRouter, tellLate } from '../compat/engine/router.js';
import { legacyRecords, legacyRoutes } from '../compat/index.js';
import type { Config } from './config.js';
import { graphqlBody } from './gateway/body.js';
import { clientOf, type Trust } from './gateway/client.js';
import type { Resources } from './gateway/context.js';
import { trustedDocuments } from './gateway/documents/trusted.js';
import { type ExampleTokens, tabsOf } from './gateway/examples/index.js';
import { headersOf } from './gateway/headers.js';
import { FirstAnswers } from './gateway/retries/first-answers.js';
import { createGraph } from './gateway/run.js';
import { createGraphQL } from './gateway/yoga.js';
import type { Caller } from './kernel/declare/caller.js';
import { accountPages } from './pages/account-pages.js';
import { graphiql } from './pages/graphiql.js';
import { openApi } from './pages/openapi.js';

interface Graph {
  schema: GraphQLSchema;
  config: Config;
  resources: Resources;
  log: Logger;
  demoTokens: ExampleTokens | null;
  /** What every request meets first. */
  first: LegacyHandler;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
}

/** What answers `/v1`, and what tells requests to it that they are late. */
export interface Legacy {
  answer: LegacyHandler;
  /** False where a request is for something else. */
  tellLate(response: ServerResponse, late: Error): boolean;
}

/** Has the host serve the whole graph: `/graphql` and the pages, and gives what answers `/v1`. A process that serves subgraphs only never loads this file. */
export async function hostGraph(
  app: Express,
  { schema, config, resources, log, demoTokens, identify, first }: Graph,
): Promise<Legacy> {
  const trust: Trust = app.get('trust proxy fn');
  const { path, isRequired } = config.trustedDocuments;
  const trusted = path === null ? null : await trustedDocuments(path, isRequired, schema, log);
  const graph = createGraph(schema, resources, log);
  const answers = new FirstAnswers(resources.pools, log);
  const legacy = legacyRouter({
    graph,
    routes: legacyRoutes,
    records: legacyRecords,
    identify: (headers) => identify(headersOf(headers)),
    paging: config.legacyPaging,
    answers,
    atWork: resources.atWork,
    // What is asked first is answered first; that all of them fit is tested.
    lazily: true,
    log,
    clientOf: (request, response) => clientOf(request, response, trust),
  });
  app.use(accountPages(graph, trust));
  app.use(openApi({ schema, publicUrl: config.publicUrl, trust, identify }));
  const explorer = graphiql('Courtside', tabsOf(demoTokens));
  app.use(explorer.files);
  app.use('/graphql', (request, response, next) => {
    // As Yoga tells the browsers that get the page.
    if (request.method === 'GET' && request.headers.accept?.includes('text/html'))
      response.setHeader('Content-Security-Policy', explorer.policy());
    next();
  });
  app.use('/graphql', compression(), graphqlBody());
  const isSchemaOpen = !config.isProduction || demoTokens !== null;
  const graphql = createGraphQL({ schema, resources, log, identify, answers, trusted, isSchemaOpen, trust, page: explorer.page });
  app.use(graphql.graphqlEndpoint, graphql as unknown as RequestHandler);
  app.get('/', (_, response) => response.redirect('/graphql'));
  return {
    answer: (request, response, next) => {
      if (isLegacy(request)) first(request, response, () => legacy(request, response, next));
      else next();
    },
    tellLate: (response, late) => {
      if (!isLegacy(response.req)) return false;
      void tellLate(response, late);
      return true;
    },
  };
}
