import { Counter, Gauge, type Registry } from 'prom-client';
import { liveCounts } from '../graphql/subscriptions/connections.js';
import { cacheSizes } from '../kernel/caches.js';
import { type Pools, Session } from '../kernel/session.js';
import { countJobs } from '../messaging/jobs-sql.js';
import { deliveryCounts } from '../modules/live/webhooks/delivery-counts.js';
import { countPendingDeliveries } from '../modules/live/webhooks/webhook-sql.js';
import { shadowDifferences, shadowOutcomes } from '../replay/shadow/counts.js';

/** Values of a metric, with their labels. */
type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

interface Metric {
  reset(): void;
  inc(labels: Readonly<Record<string, string>>, value: number): void;
}

interface MetricConfiguration {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: Registry[];
  collect(this: Metric): Promise<void>;
}

/** Metric whose values are read on each scrape. */
interface SampledMetric {
  readonly type: new (configuration: MetricConfiguration) => Metric;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  read(pools: Pools): Samples | Promise<Samples>;
}

const samplesOf = (label: string, counts: object | null): Samples =>
  Object.entries(counts ?? {}).map(([value, count]) => [{ [label]: value }, count]);

const metrics: readonly SampledMetric[] = [
  {
    type: Gauge,
    name: 'courtside_pool_connections',
    help: 'Number of connections to each database, and of requests that wait for a connection.',
    labelNames: ['database', 'state'],
    read: (pools) =>
      pools.openPools().flatMap(({ database, pool }) => [
        [{ database, state: 'total' }, pool.totalCount],
        [{ database, state: 'idle' }, pool.idleCount],
        [{ database, state: 'waiting' }, pool.waitingCount],
      ]),
  },
  {
    type: Gauge,
    name: 'courtside_jobs',
    help: 'Number of jobs in the database by queue and state: waiting, active, failed (will be retried) and dead.',
    labelNames: ['queue', 'state'],
    read: async (pools) =>
      (await countJobs(new Session(pools, 'write'))).map(({ queue, state, count }) => [{ queue, state }, count]),
  },
  {
    type: Gauge,
    name: 'courtside_cache_entries',
    help: 'Number of entries in each in-memory cache.',
    labelNames: ['cache'],
    read: () => cacheSizes().map(({ name, entries }) => [{ cache: name }, entries]),
  },
  {
    type: Counter,
    name: 'courtside_shadow_reads_total',
    help: 'Number of `/v1` reads that were also sent to the old server, by outcome: same, different, unanswered or dropped.',
    labelNames: ['outcome'],
    read: () => samplesOf('outcome', shadowOutcomes()),
  },
  {
    type: Counter,
    name: 'courtside_shadow_differences_total',
    help: 'Number of responses that differ from those of the old server, by route, kind of difference and JSON path.',
    labelNames: ['route', 'kind', 'path'],
    read: () => (shadowDifferences() ?? []).map(({ route, kind, path, count }) => [{ route, kind, path }, count]),
  },
  {
    type: Counter,
    name: 'courtside_webhook_deliveries_total',
    help: 'Number of webhook deliveries that this process attempted, by outcome: delivered, failed, or paused after the last attempt.',
    labelNames: ['outcome'],
    read: () => samplesOf('outcome', deliveryCounts()),
  },
  {
    type: Gauge,
    name: 'courtside_webhook_deliveries_waiting',
    help: 'Number of pending webhook deliveries in the database, including retries and deliveries of paused webhooks.',
    read: async (pools) => [[{}, await countPendingDeliveries(new Session(pools, 'write'))]],
  },
  {
    type: Gauge,
    name: 'courtside_subscriptions',
    help: 'Number of open subscriptions by transport: `sse` or `websocket`.',
    labelNames: ['transport'],
    read: () => samplesOf('transport', liveCounts.open),
  },
  {
    type: Gauge,
    name: 'courtside_sockets',
    help: 'Number of open WebSockets, with or without subscriptions.',
    read: () => [[{}, liveCounts.sockets]],
  },
  {
    type: Counter,
    name: 'courtside_subscription_events_total',
    help: 'Number of events delivered to subscribers.',
    labelNames: ['transport'],
    read: () => samplesOf('transport', liveCounts.delivered),
  },
  {
    type: Counter,
    name: 'courtside_subscriptions_ended_total',
    help: 'Number of subscriptions that the service ended, by reason: the client did not read (`slow`), its token became invalid (`token`), or the process stopped (`stop`).',
    labelNames: ['reason'],
    read: () => samplesOf('reason', liveCounts.ended),
  },
];

/** Adds the metrics that are read on each scrape. If a metric cannot be read, it has no values and does not affect the others. */
export function addSampledMetrics(registers: Registry[], pools: Pools): void {
  for (const { type: MetricType, name, help, labelNames = [], read } of metrics)
    new MetricType({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = await Promise.resolve()
          .then(() => read(pools))
          .catch(() => []);
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
}
