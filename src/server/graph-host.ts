import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { isLegacy, type LegacyHandler, legacyRouter, respondToTimeout } from '../../compat/engine/router.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { operationName } from '../../compat/reference/names.js';
import type { Config } from '../config/index.js';
import { exportsRouter } from '../exports/index.js';
import type { Resources } from '../graphql/context.js';
import { trustedDocuments } from '../graphql/documents/trusted.js';
import { createErrorMask } from '../graphql/errors/mask.js';
import { type ExampleTokens, firstExample, tabOf } from '../graphql/examples/index.js';
import { graphqlBody } from '../graphql/http/body.js';
import { clientOf, clientOfSocket, type IsTrustedProxy } from '../graphql/http/client.js';
import { headerReaderOf } from '../graphql/http/request-headers.js';
import type { ResponseCache } from '../graphql/http/response-cache.js';
import { IdempotentResponses } from '../graphql/idempotency/responses.js';
import { createGraph } from '../graphql/run.js';
import { createSocketEndpoint, type Upgrades } from '../graphql/subscriptions/sockets.js';
import type { Streams } from '../graphql/subscriptions/streams.js';
import { createGraphQL } from '../graphql/yoga.js';
import type { Client } from '../kernel/declare/context.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import type { RequestFacts } from '../kernel/monitoring/request-facts.js';
import { accountPages } from '../pages/account-pages.js';
import { serveAssets } from '../pages/assets.js';
import { checkHost } from '../pages/check-host.js';
import { consoleDocuments, consolePage } from '../pages/console-page.js';
import { exampleResponses } from '../pages/example-responses.js';
import { graphReferencePages } from '../pages/graph-reference/pages.js';
import { graphiql } from '../pages/graphiql.js';
import { invitationPage } from '../pages/invitation-page.js';
import type { PageLink } from '../pages/layout.js';
import { openApi } from '../pages/openapi.js';
import { graphiqlPath, referencePath } from '../pages/operation-paths.js';
import { referencePages } from '../pages/reference/pages.js';
import { startPage } from '../pages/start-page.js';
import { watchState } from '../pages/state.js';
import { usagePage } from '../pages/usage-page.js';
import { openedExample, operationTabs } from './graphiql-tabs.js';

interface GraphHostOptions {
  schema: GraphQLSchema;
  config: Config;
  resources: Resources;
  /** Cache of responses to reads. */
  responseCache: ResponseCache;
  /** Open subscriptions. */
  streams: Streams;
  log: Logger;
  demoTokens: ExampleTokens | null;
  /** Links in the navigation bar of the pages. */
  links: readonly PageLink[];
  /** Middleware that runs first for every request. */
  prepareRequest: LegacyHandler;
  /** Whether pages of the request's origin may read responses for the caller. */
  canRead(header: Client['header']): Promise<boolean>;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /**
   * Identifies the caller of a new request, records it in `facts`, and counts the request. Throws RATE_LIMITED if the platform has used up
   * its budget.
   */
  admit(header: (name: string) => string | undefined, facts?: RequestFacts): Promise<Caller>;
}

/** Paths of the pages, except the start page and GraphiQL. */
const pagePaths = ['/verify', '/reset', '/game-invitation', '/reference', '/usage', '/console'];

/** Paths of documents and files that need no token. */
const documentPaths = ['/openapi.json', '/assets', '/graphql/assets'];

/** Handlers of `/v1` requests and of WebSockets. Both bypass Express. */
export interface BypassHandlers {
  handle: LegacyHandler;
  /** Sends a timeout error as a `/v1` response. Returns false for requests outside of `/v1`. */
  sendTimeout(response: ServerResponse, error: Error): boolean;
  upgrades: Upgrades;
  /** Closes all WebSockets and refuses new ones. */
  endSockets(): void;
  close(): void;
}

/** Serves `/graphql`, `/v1` and the pages. Processes that serve only subgraphs do not import this file. */
export async function hostGraph(
  app: Express,
  {
    schema,
    config,
    resources,
    responseCache,
    streams,
    log,
    demoTokens,
    links,
    identify,
    admit,
    canRead,
    prepareRequest,
  }: GraphHostOptions,
): Promise<BypassHandlers> {
  const trust: IsTrustedProxy = app.get('trust proxy fn');
  const { path, isRequired } = config.trustedDocuments;
  const ownTexts = isRequired && config.hasConsole ? await consoleDocuments() : [];
  const trusted = path === null ? null : await trustedDocuments(path, isRequired, schema, log, ownTexts);
  const graph = createGraph(schema, resources, log);
  const responses = new IdempotentResponses(resources.pools, log);
  const { usage } = resources.services;
  const shadow = config.shadow
    ? await (await import('../replay/shadow/index.js')).startShadow({
        ...config.shadow,
        recordShadowRead: usage?.countShadow,
        log,
      })
    : null;
  const admitBy = (headers: IncomingHttpHeaders, facts?: RequestFacts) => admit(headerReaderOf(headers), facts);
  const legacy = legacyRouter({
    graph,
    routes: legacyRoutes,
    records: legacyRecords,
    identify: shadow?.trackCallers(admitBy) ?? admitBy,
    paging: config.legacyPaging,
    idempotentResponses: responses,
    responseCache,
    concurrencyLimiter: resources.databaseLimiter,
    linksOf: (method, path) => {
      const name = operationName(method, path);
      return { reference: referencePath(name), graphiql: graphiqlPath(name) };
    },
    announcements: resources.services.deprecations,
    onResponse: usage?.count,
    // Prepares each operation on its first request. A test checks that all operations are valid.
    isLazy: true,
    log,
    clientOf: (request, response) => clientOf(request, response, trust),
  });
  const hostCheck = checkHost(config.publicUrl);
  app.use([...pagePaths, ...documentPaths], hostCheck).get('/', hostCheck);
  app.use(serveAssets());
  app.use(accountPages(graph, trust));
  app.use(invitationPage(graph, trust));
  const reference = async () => (await import('../pages/reference.js')).referenceOf(schema);
  app.use(
    openApi({
      schema,
      publicUrl: config.publicUrl,
      trust,
      identify,
      ...(usage && { calledBy: (id: string) => usage.calledBy(id) }),
    }),
  );
  app.use(exportsRouter({ graph, identify: admit, trust, databaseLimiter: resources.databaseLimiter, log }));
  const explorer = graphiql(links);
  app.use(explorer.files);
  const operationTabsOf = operationTabs(demoTokens, reference);
  const fetchExampleResponse = exampleResponses(graph, identify, demoTokens);
  const firstTab = tabOf(firstExample, demoTokens);
  const sendPage = async ({ query }: Request, response: Response) => {
    const example = openedExample(schema, query);
    const otherTabs = example ? [tabOf(example, demoTokens)] : ((await operationTabsOf(query.operation)) ?? []);
    const openExample = example ?? (otherTabs.length > 0 ? null : firstExample);
    const exampleResponse = openExample && (await fetchExampleResponse(openExample));
    const { page, policy } = explorer.page({ firstTab, otherTabs, response: exampleResponse });
    response.setHeader('Content-Security-Policy', policy);
    response.type('html').send(page);
  };
  app.use('/graphql', compression(), (request, response, next) => {
    // Detects browsers in the same way as Yoga.
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return next();
    hostCheck(request, response, () => void sendPage(request, response).catch(next));
  });
  app.use('/graphql', graphqlBody());
  const isIntrospectionPublic = !config.isProduction;
  const graphql = createGraphQL({
    streams,
    schema,
    resources,
    log,
    identify,
    admit,
    responses,
    trusted,
    isIntrospectionPublic,
    trust,
    countOperation: (operation, caller, status, startedAt) => usage?.countOperation(operation, caller, status, startedAt),
  });
  const endpoint = graphql.graphqlEndpoint;
  const sockets = createSocketEndpoint(
    {
      schema,
      mask: createErrorMask(schema, log),
      identify,
      canRead,
      clientOf: (request, header) => clientOfSocket(request, trust, header),
      run: (request, serverContext) => graphql.fetch(`http://localhost${endpoint}`, request, serverContext),
    },
    { path: endpoint, maxSockets: config.streamsAtOnce, maxSocketsPerAddress: config.streamsPerCaller },
    log,
  );
  app.use(endpoint, graphql as unknown as RequestHandler);
  app.use(graphReferencePages(schema, links));
  app.use(referencePages({ reference, tokens: demoTokens, links, publicUrl: config.publicUrl }));
  app.use(usagePage(demoTokens, links));
  if (config.hasConsole)
    app.use(consolePage({ publishableKey: config.consoleKey ?? demoTokens?.publishable ?? null, hasDemo: demoTokens !== null }));
  app.get('/', compression(), startPage(watchState(graph, resources.pools), demoTokens, links));
  return {
    handle: (request, response, next) => {
      if (!isLegacy(request)) return next();
      prepareRequest(request, response, () => {
        shadow?.watch(request, response);
        legacy(request, response, next);
      });
    },
    upgrades: sockets,
    endSockets: () => sockets.stop(),
    close: () => shadow?.stop(),
    sendTimeout: (response, error) => {
      if (!isLegacy(response.req)) return false;
      void respondToTimeout(response, error);
      return true;
    },
  };
}
