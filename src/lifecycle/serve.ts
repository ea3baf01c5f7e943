import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { type App, createApp } from '../app.js';
import type { Config } from '../config.js';
import { migrate } from '../database/migrate.js';
import { openOrm } from '../database/orm.js';
import type { ExampleTokens } from '../gateway/examples/index.js';
import { graphOfModules } from '../gateway/graph.js';
import { nightly } from '../messaging/timetable.js';
import type { Metrics } from '../metrics/index.js';
import { fill } from './fill.js';
import { arrivalOptions, close, listen, open } from './listen.js';
import { createLog } from './log.js';
import type { Opened } from './opened.js';
import { clearStartGarbage, collectForRequests } from './start-garbage.js';

/** What a process that serves requests is given, and its part in what only one of several does. */
export interface Serving {
  databaseUrl: string;
  /** It migrates and fills the database first, or it is told of the demo season that another one has found there. */
  prepares: boolean;
  demoTokens?: ExampleTokens | null;
  jobs: boolean;
  /** Its place among the workers, from 1. */
  worker?: number;
  writeKey?: string;
}

/** What is known once it serves. */
export interface Served {
  port: number;
  /** For the person who started it. */
  lines: string[];
  demoTokens: ExampleTokens | null;
}

/** What serving needs and can be made without a database. */
export async function build({ graph }: Config): Promise<void> {
  if (!graph) return;
  await import('../graph-host.js');
  graphOfModules();
}

/** Each worker tells of itself, at the port of its place. */
async function metricsOf(
  { resources }: App,
  first: number,
  { worker = 1 }: Serving,
  { host }: Config,
  opened: Opened,
): Promise<Metrics> {
  const metrics = (await import('../metrics/index.js')).startMetrics(resources.pools);
  const server = createServer(arrivalOptions(), metrics.answer);
  await open(server, { host, port: first + worker - 1, exclusive: true, variable: 'METRICS_PORT' });
  opened.add(async () => {
    metrics.stop();
    await close(server);
  });
  return metrics;
}

/** How long the first requests have the process for themselves, in milliseconds. */
const firstRequests = 500;

/** Does what can wait; gives what waits for its end, or has it left out. */
function doLater(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let doing: Promise<void> | undefined;
  const timer = setTimeout(() => {
    doing = work().catch((error: Error) => log.error({ err: { message: error.message } }, 'reference data are not up to date'));
  }, firstRequests).unref();
  return async () => {
    clearTimeout(timer);
    await doing;
  };
}

/** Serves requests part by part; each is closed in reverse, also when a later one fails. */
export async function serve(config: Config, opened: Opened, serving: Serving): Promise<Served> {
  const { databaseUrl, prepares, jobs, worker, writeKey = null } = serving;
  const log = createLog(config.logLevel, worker);
  const traces = config.traces ? (await import('../traces/index.js')).startTraces(config.traces.serviceName, log) : null;
  if (traces) opened.add(traces.stop);
  const orm = openOrm({
    url: databaseUrl,
    replicas: config.replicaUrls,
    pool: config.databasePool,
    prepared: config.databasePrepared,
    wait: config.timeouts.wait,
    lazily: true,
  });
  opened.add(() => orm.close());
  if (prepares) await migrate(orm);
  const filled = prepares ? await fill(orm, config, console.log) : null;
  const { lines, demoTokens } = filled ?? { lines: [], demoTokens: serving.demoTokens ?? null };
  await orm.bound(config.timeouts);
  const timetable = jobs ? nightly : null;
  const app = await createApp({ config, orm, databaseUrl, log, demoTokens, timetable, jobs, writeKey });
  opened.add(app.close);
  const metrics = config.metricsPort === null ? null : await metricsOf(app, config.metricsPort, serving, config, opened);
  const traced = traces ? traces.requests(app.listener) : app.listener;
  const listening = await listen(metrics ? metrics.requests(traced) : traced, config, app.upgrades);
  opened.add(listening.close);
  // Nobody waits for requests that end when their clients like to.
  opened.add(async () => app.endStreams());
  opened.drain = async () => {
    if (config.drainDelay === 0) return;
    app.drain();
    await listening.drain(config.drainDelay);
  };
  if (filled) opened.add(doLater(filled.rest, log));
  collectForRequests();
  if (!config.graph) clearStartGarbage();
  return { port: listening.port, lines, demoTokens };
}
