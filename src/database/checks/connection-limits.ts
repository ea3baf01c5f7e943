import type { Config } from '../../config/index.js';
import { connectionCounts, jobConnectionCounts } from '../../process/connection-counts.js';
import { StartProblem } from '../../process/start-problem.js';
import type { DatabaseServer } from './database-server.js';
import type { ServerInfo } from './server-info-sql.js';

type PoolConfig = Pick<Config, 'workers' | 'databasePool' | 'replicaUrls'>;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Returns the maximum number of connections that all processes of the service open to the primary server. */
export function connectionsOf({ workers, databasePool, replicaUrls }: PoolConfig): { total: number; pools: number } {
  const { replicas, ...others } = connectionCounts;
  const backgroundCount = sum(others) + (replicaUrls.length > 0 ? replicas : 0);
  const pools = workers * databasePool;
  return { total: pools + workers * backgroundCount + sum(jobConnectionCounts), pools };
}

/** Returns the number of connections that the server accepts from the service, and the setting that limits it. */
function limitOf({ maxConnections, reservedConnections, userLimit, databaseLimit }: ServerInfo): {
  count: number;
  setting: string;
} {
  const limits = [
    {
      count: maxConnections - reservedConnections,
      setting: `max_connections is ${maxConnections}, and ${reservedConnections} are reserved`,
    },
    { count: userLimit ?? Number.POSITIVE_INFINITY, setting: 'the connection limit of the user' },
    { count: databaseLimit ?? Number.POSITIVE_INFINITY, setting: 'the connection limit of the database' },
  ];
  return limits.reduce((lowest, limit) => (limit.count < lowest.count ? limit : lowest));
}

/**
 * Compares the connections of the service with the limit of the server. Throws a StartProblem if the service alone can exceed it. Returns a
 * warning if two instances can exceed it, for example during an upgrade. Null if there is no problem, or if a pooler shares the connections.
 */
export function checkConnectionLimit(config: PoolConfig, info: ServerInfo, { address }: DatabaseServer): string | null {
  if (info.isPooled) return null;
  const { total, pools } = connectionsOf(config);
  const { count, setting } = limitOf(info);
  const needed = `The service opens up to ${total} connections (${pools} of DATABASE_POOL, ${total - pools} for background work)`;
  const accepted = `PostgreSQL at ${address} accepts ${count} (${setting})`;
  const remedy = `reduce ${config.workers > 1 ? 'DATABASE_POOL or WORKERS' : 'DATABASE_POOL'}, or raise the limit`;
  if (total > count) throw new StartProblem(`${needed}, but ${accepted}: ${remedy}.`);
  return 2 * total > count
    ? `${needed}, and ${accepted}, so a second instance, for example during an upgrade, can exceed the limit: ${remedy}.`
    : null;
}
