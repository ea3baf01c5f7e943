import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { type Config, setTraceHeaders } from '../../config/index.js';
import { openOrm } from '../../database/orm.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';
import { graphOfModules } from '../../graphql/graph.js';
import { failureFields } from '../../kernel/database-errors.js';
import { nightlySchedule } from '../../messaging/schedule.js';
import { type App, createApp } from '../app.js';
import { requestLog } from '../request-log.js';
import { fillDatabase } from './fill.js';
import { collectStartGarbage, tuneGarbageCollection } from './garbage-collection.js';
import { LifecycleLog } from './lifecycle-log.js';
import { arrivalOptions, closeServer, openServer } from './listen.js';
import { createLog, createRequestLines } from './log.js';
import type { OpenResources } from './open-resources.js';
import { prepareSchema } from './prepare-schema.js';
import { StartupServer } from './startup-server.js';

/** Options of a process that serves requests. */
export interface ServeOptions {
  databaseUrl: string;
  /** Whether the process migrates and fills the database. If false, another process has done this, and provides the demo tokens. */
  preparesDatabase: boolean;
  demoTokens?: ExampleTokens | null;
  runsJobs: boolean;
  /** Number of the worker, starting at 1. */
  worker?: number;
  consistencyTokenSecret?: string;
}

/** Result of a successful start. */
export interface ServeResult {
  port: number;
  /** Banner lines. */
  lines: string[];
  demoTokens: ExampleTokens | null;
}

/** Imports code and builds the GraphQL schema. Neither requires the database. */
export async function prepareServer({ graph }: Config): Promise<void> {
  if (!graph) return;
  await import('../graph-host.js');
  graphOfModules();
}

/** Starts the metrics server. Each worker uses a separate port, starting at METRICS_PORT. */
async function startMetricsServer(
  app: App,
  firstPort: number,
  { worker = 1 }: ServeOptions,
  { host }: Config,
  resources: OpenResources,
): Promise<void> {
  const metrics = (await import('../../metrics/index.js')).startMetrics({
    ...app.resources,
    schemaHash: app.schemaHash(),
  });
  const server = createServer(arrivalOptions(), metrics.handleScrape);
  await openServer(server, { host, port: firstPort + worker - 1, exclusive: true, variable: 'METRICS_PORT' });
  resources.add(async () => {
    metrics.stop();
    await closeServer(server);
  });
  app.onRequest(metrics.countRequest);
}

/** Delay of deferred work in milliseconds, which gives priority to the first requests. */
const startupGraceMs = 500;

/** Runs work shortly after the start. Returns a function that cancels the work, or waits for it if it is running. */
function runAfterStart(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setTimeout(() => {
    running = work().catch((error: unknown) => log.error(failureFields(error), 'reference data is not up to date'));
  }, startupGraceMs).unref();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}

/** Starts all components in order. They are closed in reverse order, even if the start fails. */
export async function serve(config: Config, resources: OpenResources, options: ServeOptions): Promise<ServeResult> {
  const { databaseUrl, preparesDatabase, runsJobs, worker, consistencyTokenSecret = null } = options;
  const log = createLog(config.logLevel, worker);
  const lifecycle = new LifecycleLog(log, config);
  resources.add(async () => lifecycle.logStopped());
  const { headers, tracesHeaders } = config.traces ?? {};
  if (headers !== undefined) setTraceHeaders(headers);
  if (tracesHeaders !== undefined) setTraceHeaders(tracesHeaders, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS');
  const traces = config.traces ? await (await import('../../traces/index.js')).startTraces(config.traces, log) : null;
  if (traces) resources.add(traces.stop);
  const orm = openOrm({
    url: databaseUrl,
    replicas: config.replicaUrls,
    pool: config.databasePool,
    prepared: config.databasePrepared,
    waitSeconds: config.timeouts.wait,
    isLazy: true,
  });
  resources.add(() => orm.close());
  const requestLines = createRequestLines(config.logLevel, worker);
  const server = new StartupServer(config, resources, requestLog(requestLines, config.logsRequests));
  if (preparesDatabase) await prepareSchema(orm, config, log, (reason) => server.setReason(reason));
  const fillResult = preparesDatabase ? await fillDatabase(orm, config, console.log) : null;
  const { lines, demoTokens } = fillResult ?? { lines: [], demoTokens: options.demoTokens ?? null };
  await orm.applyTimeouts(config.timeouts);
  const schedule = runsJobs ? nightlySchedule : null;
  const app = await createApp({
    config,
    orm,
    databaseUrl,
    log,
    requestLines,
    demoTokens,
    schedule,
    runsJobs,
    consistencyTokenSecret,
  });
  resources.add(app.close);
  if (config.metricsPort !== null) await startMetricsServer(app, config.metricsPort, options, config, resources);
  const listening = await server.serve(traces ? traces.traceRequests(app.listener) : app.listener, app.upgrades);
  resources.add(listening.close);
  // Ends subscriptions before the listener is closed, because closing waits for them.
  resources.add(async () => app.endStreams());
  resources.beforeClose = async () => {
    if (config.drainDelay === 0) return;
    app.drain();
    await lifecycle.logDrain(config.drainDelay, () => listening.drain(config.drainDelay));
  };
  if (fillResult) resources.add(runAfterStart(fillResult.afterStart, log));
  tuneGarbageCollection();
  if (!config.graph) collectStartGarbage();
  void lifecycle.logStart(app, config, listening.port);
  resources.add(async () => lifecycle.logStopping());
  return { port: listening.port, lines, demoTokens };
}
