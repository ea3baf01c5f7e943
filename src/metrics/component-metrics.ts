import { Counter, Gauge } from 'prom-client';
import { subscriptionCounts } from '../graphql/subscriptions/connections.js';
import { cacheSizes } from '../kernel/caches.js';
import { Session } from '../kernel/session.js';
import { countJobs } from '../messaging/jobs-sql.js';
import { messageCounts } from '../messaging/message-counts.js';
import { deliveryCounts } from '../modules/live/webhooks/delivery-counts.js';
import { countPendingDeliveries } from '../modules/live/webhooks/webhook-sql.js';
import { shadowDifferences, shadowOutcomes } from '../replay/shadow/counts.js';
import { type SampledMetric, samplesByLabel } from './sampled-metric.js';

/** Metrics of jobs, messages, webhooks, subscriptions, caches and the comparison with the old server. */
export const componentMetrics: readonly SampledMetric[] = [
  {
    type: Gauge,
    name: 'courtside_jobs',
    help: 'Number of jobs in the database by queue and state: waiting, active, failed (will be retried) and dead.',
    labelNames: ['queue', 'state'],
    read: async ({ pools }) =>
      (await countJobs(new Session(pools, 'write'))).map(({ queue, state, count }) => [{ queue, state }, count]),
  },
  {
    type: Counter,
    name: 'courtside_messages_total',
    help: 'Number of attempts of this process to send an email or text message, by kind and outcome: sent, failed (will be retried) or dead.',
    labelNames: ['kind', 'outcome'],
    read: () =>
      [...messageCounts].flatMap(([kind, counts]) =>
        counts.entries.map(([outcome, count]) => [{ kind, outcome }, count] as const),
      ),
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
    read: () => samplesByLabel('outcome', shadowOutcomes()),
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
    read: () => samplesByLabel('outcome', deliveryCounts()),
  },
  {
    type: Gauge,
    name: 'courtside_webhook_deliveries_waiting',
    help: 'Number of pending webhook deliveries in the database, including retries and deliveries of paused webhooks.',
    read: async ({ pools }) => [[{}, await countPendingDeliveries(new Session(pools, 'write'))]],
  },
  {
    type: Gauge,
    name: 'courtside_subscriptions',
    help: 'Number of open subscriptions by transport: `sse` or `websocket`.',
    labelNames: ['transport'],
    read: () => samplesByLabel('transport', subscriptionCounts.open),
  },
  {
    type: Gauge,
    name: 'courtside_sockets',
    help: 'Number of open WebSockets, with or without subscriptions.',
    read: () => [[{}, subscriptionCounts.sockets]],
  },
  {
    type: Counter,
    name: 'courtside_subscription_events_total',
    help: 'Number of events delivered to subscribers.',
    labelNames: ['transport'],
    read: () => samplesByLabel('transport', subscriptionCounts.delivered),
  },
  {
    type: Counter,
    name: 'courtside_subscriptions_ended_total',
    help: 'Number of subscriptions that the service ended, by reason: the client did not read (`slow`), its token became invalid (`token`), or the process stopped (`stop`).',
    labelNames: ['reason'],
    read: () => samplesByLabel('reason', subscriptionCounts.ended),
  },
];
