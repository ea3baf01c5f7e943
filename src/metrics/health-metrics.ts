import { Counter, Gauge } from 'prom-client';
import { countPendingMigrations } from '../database/ready-sql.js';
import { errorCounts } from '../graphql/errors/error-counts.js';
import { responseCacheCounts } from '../graphql/http/response-cache.js';
import { pendingRequestCount } from '../graphql/limits/deadline.js';
import { databaseErrorCounts } from '../kernel/database-errors.js';
import { type Counts, limitRefusals } from '../kernel/monitoring/counts.js';
import { unavailableCounts } from '../kernel/monitoring/unavailable.js';
import { release } from '../process/release.js';
import type { SampledMetric } from './sampled-metric.js';

/** Returns a metric that exposes counts. */
const counter = (name: string, help: string, label: string, counts: Counts<string>): SampledMetric => ({
  type: Counter,
  name,
  help,
  labelNames: [label],
  read: () => counts.entries.map(([value, count]) => [{ [label]: value }, count]),
});

/** Metrics of errors, limits, the database and the release. */
export const healthMetrics: readonly SampledMetric[] = [
  {
    type: Gauge,
    name: 'courtside_build_info',
    help: 'Always 1. The labels are the version of Courtside and Node, and the hash of the GraphQL schema.',
    labelNames: ['version', 'node', 'schema'],
    read: ({ schemaHash }) => [[{ version: release, node: process.versions.node, schema: schemaHash }, 1]],
  },
  {
    type: Gauge,
    name: 'courtside_requests_pending',
    help: 'Number of requests that have no response yet.',
    read: () => [[{}, pendingRequestCount()]],
  },
  {
    type: Gauge,
    name: 'courtside_request_slots',
    help: 'Slots for requests that use the database (`REQUESTS_AT_ONCE`): their total number, those in use, and the number of requests that wait for one.',
    labelNames: ['state'],
    read: ({ databaseLimiter: { capacity, acquired, queueLength } }) => [
      [{ state: 'total' }, capacity],
      [{ state: 'used' }, acquired],
      [{ state: 'waiting' }, queueLength],
    ],
  },
  counter(
    'courtside_unavailable_total',
    'Number of requests that the service could not process, by reason. They failed with status 503 or an UNAVAILABLE error.',
    'reason',
    unavailableCounts,
  ),
  counter(
    'courtside_graphql_errors_total',
    'Number of errors in GraphQL responses and events, by code. Excludes `/v1`.',
    'code',
    errorCounts,
  ),
  counter(
    'courtside_limit_refusals_total',
    'Number of refused requests and subscriptions, by limit: its name in `RATE_LIMITS`, or its configuration variable.',
    'limit',
    limitRefusals,
  ),
  counter(
    'courtside_response_cache_total',
    'Number of requests that the response cache could answer, by result: hit (no query ran), stale, miss or uncached. With RESPONSE_CACHE_MB=0, only conditional requests to `/v1` count.',
    'result',
    responseCacheCounts,
  ),
  counter('courtside_database_errors_total', 'Number of database errors, by cause.', 'cause', databaseErrorCounts),
  {
    type: Gauge,
    name: 'courtside_pool_connections',
    help: 'Number of connections to each database, and of requests that wait for a connection.',
    labelNames: ['database', 'state'],
    read: ({ pools }) =>
      pools.openPools().flatMap(({ database, pool }) => [
        [{ database, state: 'total' }, pool.totalCount],
        [{ database, state: 'idle' }, pool.idleCount],
        [{ database, state: 'waiting' }, pool.waitingCount],
      ]),
  },
  {
    type: Gauge,
    name: 'courtside_migrations_pending',
    help: 'Number of migrations of this release that have not run in the database.',
    read: async ({ pools }) => [[{}, await countPendingMigrations(pools)]],
  },
  {
    type: Gauge,
    name: 'courtside_replicas',
    help: 'Number of read replicas by state: used, or excluded because they lag or do not respond.',
    labelNames: ['state'],
    read: ({ pools: { replicas, readableReplicaCount } }) => [
      [{ state: 'used' }, readableReplicaCount],
      [{ state: 'excluded' }, replicas.length - readableReplicaCount],
    ],
  },
  {
    type: Gauge,
    name: 'courtside_replica_lag_seconds',
    help: 'Replication lag of each replica in seconds, at most 600. Replicas that do not respond have no value.',
    labelNames: ['database'],
    read: ({ pools }) =>
      [...pools.replicaLags].flatMap(([connection, lagMs]) =>
        lagMs === null ? [] : [[{ database: pools.nameOf(connection) }, lagMs / 1000] as const],
      ),
  },
  {
    type: Gauge,
    name: 'courtside_change_log_lag_seconds',
    help: 'Seconds since the start of the last poll that read the change log to its end. Up to 1 in normal operation. 0 if this process does not read the change log.',
    read: ({ services: { changes } }) => (changes.lagMs === null ? [] : [[{}, changes.lagMs / 1000]]),
  },
];
