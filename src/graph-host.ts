import compression from 'compression';
import type { Express, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { legacyRouter } from '../compat/engine/router.js';
import { legacyRecords, legacyRoutes } from '../compat/index.js';
import type { Config } from './config.js';
import { graphqlBody } from './gateway/body.js';
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

interface Graph {
  schema: GraphQLSchema;
  config: Config;
  resources: Resources;
  log: Logger;
  demoTokens: ExampleTokens | null;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
}

/** Has the host serve the whole graph: `/v1`, `/graphql` and the pages. A process that serves subgraphs only never loads this file. */
export async function hostGraph(app: Express, { schema, config, resources, log, demoTokens, identify }: Graph): Promise<void> {
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
    log,
  });
  app.use(legacy);
  // Behind /v1, which answers no pages: what protects pages only would cost every one of its answers a dozen headers.
  app.use(helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: { policy: 'cross-origin' } }));
  app.use(accountPages(graph));
  const explorer = graphiql('Courtside', tabsOf(demoTokens));
  app.use(explorer.files);
  app.use('/graphql', compression(), graphqlBody());
  const graphql = createGraphQL({ schema, resources, log, identify, answers, trusted, page: explorer.page });
  app.use(graphql.graphqlEndpoint, graphql as unknown as RequestHandler);
  app.get('/', (_, response) => response.redirect('/graphql'));
}
