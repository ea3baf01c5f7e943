import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/index.js';
import { backgroundPools } from '../database/background-pools.js';
import { openOrm } from '../database/orm.js';
import { notReadyReason } from '../database/ready-sql.js';
import { ReplicaLag } from '../database/replicas/replica-lag.js';
import { playMatchWhileWatched } from '../demo/tournaments/watch-match.js';
import type { Resources } from '../graphql/context.js';
import type { ExampleTokens } from '../graphql/examples/index.js';
import type { SubgraphOptions, Subgraphs } from '../graphql/federation/subgraph-server.js';
import { buildPartialGraph, graphOfModules } from '../graphql/graph.js';
import type { IsTrustedProxy } from '../graphql/http/client.js';
import { canReadOverSocket, crossOrigin } from '../graphql/http/cross-origin.js';
import { createProbes } from '../graphql/http/probes.js';
import { queryCache } from '../graphql/http/query-cache.js';
import { joinDuplicateHeaders } from '../graphql/http/request-headers.js';
import { ResponseCache } from '../graphql/http/response-cache.js';
import { flushHeaders, requestIdOf } from '../graphql/http/response-headers.js';
import { deleteExpired } from '../graphql/idempotency/responses-sql.js';
import { ConcurrencyLimiter } from '../graphql/limits/concurrency-limiter.js';
import { withDeadline } from '../graphql/limits/deadline.js';
import { ReadYourWrites } from '../graphql/read-your-writes/index.js';
import { writeTokens } from '../graphql/read-your-writes/token.js';
import { schemaHashOf } from '../graphql/schema-hash.js';
import type { Upgrades } from '../graphql/subscriptions/sockets.js';
import { Streams } from '../graphql/subscriptions/streams.js';
import { ChangeLog } from '../kernel/changes/index.js';
import { failureFields, unexpectedErrorFields } from '../kernel/database-errors.js';
import type { Client, Services } from '../kernel/declare/context.js';
import { oncePerMinute } from '../kernel/monitoring/once-per-minute.js';
import { type FinishedRequest, type RequestFacts, requestFactsOf } from '../kernel/monitoring/request-facts.js';
import type { Module } from '../kernel/serve/module.js';
import { Pools, Session } from '../kernel/session.js';
import type { Messaging } from '../messaging/index.js';
import { emptyOutbox } from '../messaging/ports.js';
import type { Schedule, ScheduledJob } from '../messaging/schedule.js';
import { countAttempt } from '../modules/accounts/limits/limits.js';
import { requestBudgets } from '../modules/accounts/limits/request-budgets.js';
import { allowsOrigin } from '../modules/accounts/platforms/origins.js';
import { Authenticator } from '../modules/accounts/sign-in/authenticator.js';
import { withdrawItems } from '../modules/checkout/refunds/withdraw-items.js';
import { notify } from '../modules/engagement/notifications/notify-sql.js';
import { modules } from '../modules/index.js';
import { moduleNames } from '../modules/module-names.js';
import { inviteVerifiedUser } from '../modules/scheduler/invitations/invite-verified-user.js';
import { allowedEntries } from '../modules/tournaments/entries/check-entries.js';
import { createDeprecationCache } from '../modules/usage/deprecation-cache.js';
import { startUsageRecorder } from '../modules/usage/usage-recorder.js';
import { checkHost } from '../pages/check-host.js';
import type { PageLink } from '../pages/layout.js';
import { pageHeaders } from '../pages/page-headers.js';
import { collectAllGarbage } from '../process/collect-garbage.js';
import { jobConnectionCounts } from '../process/connection-counts.js';
import type { BypassHandlers } from './graph-host.js';
import { observeRequests } from './observe-requests.js';
import { requestLog } from './request-log.js';
import { readServiceHealth } from './service-health.js';

export interface AppOptions {
  config: Config;
  orm: MikroORM;
  databaseUrl: string;
  log: Logger;
  /** Log that receives one line per request. Default: `log`. */
  requestLines?: Logger;
  /** Tokens that GraphiQL sends. Set only if the database has the demo data. */
  demoTokens?: ExampleTokens | null;
  /** Schedule of daily jobs. If it is missing, this process runs no daily jobs. */
  schedule?: Pick<Schedule, 'cron' | 'checkSeconds'> | null;
  /** Whether this process runs background jobs. If false, it only enqueues jobs. */
  runsJobs?: boolean;
  /** Secret for consistency tokens, shared by the workers. Used only if no router secret is configured. */
  consistencyTokenSecret?: string | null;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** HTTP application: its request handlers and resources. */
export interface App {
  listener: RequestListener;
  /** Registers a function that is called when a request ends. */
  onRequest(report: (request: FinishedRequest) => void): void;
  /** Handler of WebSocket requests. Null if this process does not serve `/graphql`. */
  upgrades: Upgrades | null;
  resources: Resources;
  /** Names of the modules that have a subgraph in this process. */
  subgraphNames: readonly string[];
  /** Computes the hash of the GraphQL schema. Empty if this process does not serve `/graphql`. */
  schemaHash(): string;
  /** Ends all subscriptions and refuses new ones, so that clients reconnect to another process. */
  endStreams(): void;
  /** Makes the readiness probe fail. The process still serves requests. */
  drain(): void;
  close(): Promise<void>;
}

/** Creates the application. Middleware processes requests in the order in which it is added. */
export async function createApp({
  config,
  orm,
  databaseUrl,
  log,
  requestLines = log,
  demoTokens = null,
  schedule = null,
  runsJobs = true,
  consistencyTokenSecret = null,
}: AppOptions): Promise<App> {
  const pools = new Pools(orm);
  const authenticator = new Authenticator(pools, config.publicUrl);
  const names = subgraphNamesOf(config.subgraphs);
  const servedModules = config.graph || names.length === 0 ? modules : modules.filter(({ name }) => names.includes(name));
  const sendsMessages = servedModules.some(({ messages, dailyJobs }) => messages || dailyJobs);
  const messaging = sendsMessages
    ? await messagingOf(
        { config, databaseUrl, log, schedule, runsJobs },
        scheduledJobsOf(servedModules, databaseUrl, () => services),
      )
    : null;
  const usage = config.graph ? startUsageRecorder(pools, log) : null;
  const changes = new ChangeLog(pools, {
    connection: config.listenConnection,
    onError: oncePerMinute((error) => log.warn(failureFields(error), 'the change log cannot be read, will be retried')),
  });
  if (demoTokens) playMatchWhileWatched(changes, pools);
  const { timeouts, databasePrepared: prepared } = config;
  const background = backgroundPools({ url: databaseUrl, prepared, waitSeconds: timeouts.wait }, timeouts);
  const services: Services = {
    authenticator,
    changes,
    backgroundPools: background.pools,
    usage,
    deprecations: createDeprecationCache(pools),
    legacyRoutes: () => import('./legacy-routes.js').then(({ routesForModules }) => routesForModules),
    outbox: messaging?.outbox ?? emptyOutbox,
    failedMessages: messaging?.failedMessages ?? null,
    failedJobs: messaging?.failedJobs ?? null,
    health: () => readServiceHealth(pools, changes),
    notify,
    limit: countAttempt,
    onAddressVerified: inviteVerifiedUser,
    onEntriesWithdrawn: withdrawItems,
    allowedEntries,
    settings: config,
    log,
  };
  const replicaLag = new ReplicaLag(pools, config.replicaLag * 1000, log);
  const readYourWrites = new ReadYourWrites(pools, writeTokens(config.routerSecrets[0] ?? consistencyTokenSecret), log);
  const { statement, response: responseTimeout, queue } = timeouts;
  const databaseLimiter = new ConcurrencyLimiter(config.requestsAtOnce, queue, undefined, Math.ceil(config.requestsAtOnce / 4));
  const resources: Resources = {
    pools,
    services,
    readYourWrites,
    databaseLimiter,
    requestTimeout: statement * 1000,
  };
  const identify = (header: Client['header']) => authenticator.identify(header);
  const countRequest = requestBudgets(config.rateLimits, log);
  const admit = async (header: Client['header'], facts?: RequestFacts) => {
    const caller = await identify(header);
    // The log line of a refused request needs the caller, too.
    if (facts) facts.caller = caller;
    const delay = countRequest?.(caller, facts?.requestId) ?? 0;
    if (delay >= 1) await sleep(delay);
    return caller;
  };
  const responseCache = new ResponseCache(resources, config.responseCacheBytes);
  const streamLimits = {
    maxStreams: config.streamsAtOnce,
    maxStreamsPerCaller: config.streamsPerCaller,
    maxCostPerCaller: config.streamCosts.perCaller,
    maxCostPerAddress: config.streamCosts.perAddress,
  };
  const streams = new Streams(changes, streamLimits, () => authenticator.clearCaches(), log, collectAllGarbage);
  const subgraphOptions = { resources, streams, identify, admit, log };

  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .set('trust proxy', config.trustProxy);
  const { corsOrigins } = config;
  const isAllowedOrigin = corsOrigins === '*' ? null : (origin: string) => allowsOrigin(corsOrigins, origin);
  const corsMiddleware = crossOrigin(authenticator, isAllowedOrigin);
  const prepareRequest: Middleware = (request, response, next) => {
    requestIdOf(response);
    joinDuplicateHeaders(request);
    corsMiddleware(request, response, next);
  };
  app.use((request, response, next) =>
    prepareRequest(request, response, () => {
      flushHeaders(response);
      next();
    }),
  );
  const probes = createProbes(() => notReadyReason(pools));
  app.get(probes.path, probes.handler);
  const trust: IsTrustedProxy = app.get('trust proxy fn');
  const headers = pageHeaders(config.publicUrl, trust);
  // Processes that serve only subgraphs have no other pages to link to.
  const links: PageLink[] = config.graph
    ? [
        ...(['graphiql', 'graph', 'reference', 'usage'] as const),
        ...(config.hasConsole ? (['console'] as const) : []),
        ...(messaging?.readCaughtMessages ? (['mails'] as const) : []),
      ]
    : [];
  let legacy: BypassHandlers | null = null;
  if (config.graph) {
    app.use(headers);
    const { hostGraph } = await import('./graph-host.js');
    const canRead = (header: Client['header']) => canReadOverSocket(authenticator, isAllowedOrigin, header);
    legacy = await hostGraph(app, {
      schema: graphOfModules(),
      config,
      demoTokens,
      links,
      canRead,
      prepareRequest,
      responseCache,
      ...subgraphOptions,
    });
  }
  const subgraphs = names.length ? await subgraphsOf({ modules, names, trust, ...config, ...subgraphOptions }) : null;
  if (subgraphs) app.use(subgraphs.router);
  if (messaging?.readCaughtMessages) {
    const { mailPages } = await import('../pages/mail-page.js');
    app.use('/dev', headers, checkHost(config.publicUrl)).use(mailPages(messaging.readCaughtMessages, links));
  }
  app.use((_: Request, response: Response) => {
    response.status(404).json({ errors: [{ message: 'unknown path', extensions: { code: 'NOT_FOUND' } }] });
  });
  app.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
    // The response has already ended because the request timed out.
    if (response.writableEnded) return;
    if (error instanceof URIError && !response.headersSent) {
      const message = 'path: expected valid percent-encoding';
      return void response.status(400).json({ errors: [{ message, extensions: { code: 'BAD_INPUT' } }] });
    }
    log.error(
      { ...unexpectedErrorFields(error), requestId: requestIdOf(response), route: requestFactsOf(response)?.route },
      'unexpected error',
    );
    if (response.headersSent) next(error);
    else response.status(500).json({ errors: [{ message: 'internal error', extensions: { code: 'INTERNAL' } }] });
  });
  await messaging?.start();
  const backgroundWork = runsJobs
    ? servedModules.flatMap(({ startBackgroundWork }) => (startBackgroundWork ? [startBackgroundWork(pools, services)] : []))
    : [];
  const answerQuery = queryCache({
    cache: responseCache,
    admit,
    prepareRequest,
    countOperation: (operation, caller, status, startedAt) => usage?.countOperation(operation, caller, status, startedAt),
  });
  // `/v1` and repeated queries bypass Express, because its middleware takes longer than computing many of these responses.
  const listener: RequestListener = (request, response) => {
    const next = () => answerQuery(request, response, () => app(request, response));
    if (legacy) legacy.handle(request, response, next);
    else next();
  };
  await replicaLag.start();
  const endStreams = () => {
    legacy?.endSockets();
    streams.stop();
  };
  const deadlineListener = withDeadline(
    listener,
    responseTimeout * 1000,
    (response, error) => legacy?.sendTimeout(response, error) ?? false,
  );
  const reports = [requestLog(requestLines, config.logsRequests)];
  const endRequest = (request: FinishedRequest) => {
    for (const report of reports) report(request);
  };
  return {
    listener: observeRequests(deadlineListener.listener, endRequest),
    onRequest: (report) => void reports.push(report),
    upgrades: legacy?.upgrades ?? null,
    resources,
    subgraphNames: names,
    schemaHash: () => (config.graph ? schemaHashOf(graphOfModules()) : ''),
    endStreams,
    drain: probes.drain,
    close: async () => {
      endStreams();
      await replicaLag.stop();
      await Promise.all(backgroundWork.map(({ stop }) => stop()));
      await changes.stop();
      deadlineListener.stop();
      legacy?.close();
      await subgraphs?.stop();
      await messaging?.stop();
      await usage?.stop();
      await background.close();
    },
  };
}

/** Creates the messaging component. Its code is imported on demand, because not every process sends messages or runs scheduled jobs. */
async function messagingOf(
  { config, databaseUrl, log, schedule, runsJobs }: Pick<AppOptions, 'config' | 'databaseUrl' | 'log' | 'schedule' | 'runsJobs'>,
  scheduledJobs: ScheduledJob[],
): Promise<Messaging> {
  const { createMessaging } = await import('../messaging/index.js');
  return createMessaging({
    config,
    databaseUrl,
    log,
    schedule: schedule ? { ...schedule, scheduledJobs } : null,
    sendsMessages: runsJobs,
  });
}

/** Returns the daily jobs of the service and its modules. Each run opens its own connections, without timeouts. */
const scheduledJobsOf = (modules: readonly Module[], databaseUrl: string, services: () => Services): ScheduledJob[] =>
  [{ name: 'forget-answers', run: deleteExpired }, ...modules.flatMap(({ dailyJobs = [] }) => dailyJobs)].map(
    ({ name, run }) => ({
      name,
      run: async () => {
        const orm = openOrm({ url: databaseUrl, pool: jobConnectionCounts.daily, prepared: false, isLazy: true });
        await run(new Session(new Pools(orm), 'write'), services()).finally(() => orm.close());
      },
    }),
  );

/** Creates the subgraphs. Apollo Server is imported on demand. The full schema is built only if `/graphql` is served. */
async function subgraphsOf(options: Omit<SubgraphOptions, 'schema' | 'built'> & { graph: boolean }): Promise<Subgraphs> {
  const { createSubgraphs } = await import('../graphql/federation/subgraph-server.js');
  const { graph, names } = options;
  return createSubgraphs({
    ...options,
    ...(graph ? { schema: graphOfModules() } : { schema: buildPartialGraph(names), builtNames: names }),
  });
}

/** Returns the names of the modules that have a subgraph in this process. */
const subgraphNamesOf = (selection: Config['subgraphs']): string[] =>
  selection === 'all' ? [...moduleNames] : selection === 'none' ? [] : selection;
