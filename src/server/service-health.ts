import { setTimeout as sleep } from 'node:timers/promises';
import { databaseClientOf } from '../database/checks/database-server.js';
import { readDatabaseHealth } from '../database/database-health-sql.js';
import { countPendingMigrations } from '../database/ready-sql.js';
import type { ChangeLog } from '../kernel/changes/index.js';
import { instantOf } from '../kernel/declare/scalars/instant.js';
import type { Pools } from '../kernel/pools.js';
import { Session } from '../kernel/session.js';
import { readQueues } from '../messaging/failed-jobs-sql.js';
import { countFailedWebhooks, countPendingDeliveries } from '../modules/live/webhooks/webhook-sql.js';
import type { ReplicaHealth, ServiceHealth } from '../modules/usage/operations/service-health.js';
import { release } from '../process/release.js';

/** Maximum time to read one value of the service health, in milliseconds. */
const maxDurationMs = 2_000;

/** Returns the result of the work, or null if the work fails or takes too long. */
const resultOrNull = <T>(work: Promise<T>): Promise<T | null> =>
  Promise.race([work, sleep(maxDurationMs, null, { ref: false })]).catch(() => null);

/** Returns the state of the replicas at their last check. Does not connect to them. */
const replicasOf = (pools: Pools): Promise<ReplicaHealth[]> =>
  Promise.all(
    pools.replicas.map(async (replica) => {
      const { options } = await pools.pool(replica);
      const lagMs = pools.replicaLags.get(replica) ?? null;
      return {
        address: databaseClientOf(options.connectionString ?? '', 'DATABASE_REPLICA_URLS').server.address,
        isUsed: pools.isReadable(replica),
        lag: lagMs === null ? null : lagMs / 1000,
      };
    }),
  );

/** Returns the state of the process and its servers. Values that cannot be read in time are null. */
export async function readServiceHealth(pools: Pools, changes: ChangeLog): Promise<ServiceHealth> {
  const sql = new Session(pools, 'write');
  const [database, pendingMigrations, queues, pendingWebhookDeliveries, failedWebhooks] = await Promise.all([
    resultOrNull(readDatabaseHealth(sql)),
    resultOrNull(countPendingMigrations(pools)),
    resultOrNull(readQueues((statement, values, shape) => sql.rows(statement, values, shape))),
    resultOrNull(countPendingDeliveries(sql)),
    resultOrNull(countFailedWebhooks(sql)),
  ]);
  return {
    release,
    startedAt: instantOf(new Date(Date.now() - process.uptime() * 1000)),
    database,
    pendingMigrations,
    replicas: await replicasOf(pools),
    queues,
    pendingWebhookDeliveries,
    failedWebhooks,
    changeLogLag: changes.lagMs === null ? null : changes.lagMs / 1000,
  };
}
