import type { Config } from '../../config/index.js';
import { hostsOf } from '../../kernel/primary-host.js';
import { connectionCounts, jobConnectionCounts } from '../../process/connection-counts.js';
import { StartProblem } from '../../process/start-problem.js';
import type { DatabaseServer } from './database-server.js';
import type { ServerInfo } from './server-info-sql.js';

type PoolConfig = Pick<Config, 'workers' | 'databasePool' | 'databaseUrl' | 'replicaUrls'>;

/** Maximum numbers of connections that all processes of the service open to a server. */
interface Connections {
  readonly total: number;
  /** Connections for requests. */
  readonly pools: number;
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function connectionsToPrimary({ workers, databasePool, databaseUrl, replicaUrls }: PoolConfig): Connections {
  const { replicas, hosts, ...others } = connectionCounts;
  const hasSeveralHosts = databaseUrl !== null && hostsOf(databaseUrl).length > 1;
  const background = sum(others) + (replicaUrls.length > 0 ? replicas : 0) + (hasSeveralHosts ? hosts : 0);
  const pools = workers * databasePool;
  return { total: pools + workers * background + sum(jobConnectionCounts), pools };
}

const connectionsToReplica = ({ workers, databasePool }: PoolConfig): Connections => ({
  total: workers * (databasePool + connectionCounts.replicas),
  pools: workers * databasePool,
});

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

/** Problem of a server that accepts too few connections. */
interface LimitProblem {
  /** Whether a single instance can exceed the limit. If false, only two instances together can exceed it. */
  readonly isExceededByOne: boolean;
  readonly sentence: string;
}

function problemOf(
  { total, pools }: Connections,
  { workers }: PoolConfig,
  info: ServerInfo,
  { address }: DatabaseServer,
): LimitProblem | null {
  const { count, setting } = limitOf(info);
  if (info.isPooled || 2 * total <= count) return null;
  const needed = `The service opens up to ${total} connections (${pools} of DATABASE_POOL, ${total - pools} for background work)`;
  const accepted = `PostgreSQL at ${address} accepts ${count} (${setting})`;
  const remedy = `reduce ${workers > 1 ? 'DATABASE_POOL or WORKERS' : 'DATABASE_POOL'}, or raise the limit.`;
  const isExceededByOne = total > count;
  return {
    isExceededByOne,
    sentence: isExceededByOne
      ? `${needed}, but ${accepted}: ${remedy}`
      : `${needed}, and ${accepted}, so a second instance, for example during an upgrade, can exceed the limit: ${remedy}`,
  };
}

/**
 * Compares the connections of the service with the limit of the primary server. Throws a StartProblem if the service alone can exceed it.
 * Returns a warning if two instances can exceed it, for example during an upgrade. Null if there is no problem, or if a pooler shares the
 * connections.
 */
export function checkConnectionLimit(config: PoolConfig, info: ServerInfo, server: DatabaseServer): string | null {
  const problem = problemOf(connectionsToPrimary(config), config, info, server);
  if (problem?.isExceededByOne) throw new StartProblem(problem.sentence);
  return problem?.sentence ?? null;
}

/** Returns a warning if the service, or two instances of it, can exceed the limit of a replica. Null if there is no problem. */
export const replicaLimitWarning = (config: PoolConfig, info: ServerInfo, server: DatabaseServer): string | null =>
  problemOf(connectionsToReplica(config), config, info, server)?.sentence ?? null;
