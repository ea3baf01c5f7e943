import type { Config } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { connectTo } from '../check-database.js';
import { replicaLimitWarning } from './connection-limits.js';
import type { DatabaseVariable } from './database-server.js';

/** Configuration of optional servers: replicas and the `LISTEN` server. The service starts even if they are unavailable. */
type OptionalServers = Pick<Config, 'workers' | 'databasePool' | 'databaseUrl' | 'replicaUrls' | 'listenUrl'>;

/** Effect of an unavailable server. */
const effects = {
  DATABASE_REPLICA_URLS: 'Until the replica responds, reads use other servers.',
  DATABASE_LISTEN_URL: 'Until the server responds, subscriptions and webhooks receive no changes.',
} as const satisfies Partial<Record<DatabaseVariable, string>>;

async function problemsOf(config: OptionalServers, url: string, variable: keyof typeof effects): Promise<string[]> {
  try {
    const { info, server } = await connectTo(url, variable, false);
    const warning = variable === 'DATABASE_REPLICA_URLS' ? replicaLimitWarning(config, info, server) : null;
    return warning === null ? [] : [warning];
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    return [`${error.message} ${effects[variable]}`];
  }
}

/** Returns one line for each replica and `LISTEN` server that cannot be used, or that accepts too few connections. */
export async function optionalServerProblems(config: OptionalServers): Promise<string[]> {
  const problems = await Promise.all([
    ...config.replicaUrls.map((url) => problemsOf(config, url, 'DATABASE_REPLICA_URLS')),
    ...(config.listenUrl === null ? [] : [problemsOf(config, config.listenUrl, 'DATABASE_LISTEN_URL')]),
  ]);
  return problems.flat();
}
