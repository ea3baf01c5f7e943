import type { Config } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { connectTo } from '../check-database.js';
import type { DatabaseVariable } from './database-server.js';

/** Servers without which the service starts, because they may become available later. */
type OptionalServers = Pick<Config, 'replicaUrls' | 'listenUrl'>;

/** Effect of an unavailable server. */
const effects = {
  DATABASE_REPLICA_URLS: 'Until the replica responds, reads use other servers.',
  DATABASE_LISTEN_URL: 'Until the server responds, subscriptions and webhooks receive no changes.',
} as const satisfies Partial<Record<DatabaseVariable, string>>;

async function problemOf(url: string, variable: keyof typeof effects): Promise<string[]> {
  try {
    await connectTo(url, variable, false);
    return [];
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    return [`${error.message} ${effects[variable]}`];
  }
}

/** Returns one line for each replica and `LISTEN` server that cannot be used. */
export async function unavailableServers({ replicaUrls, listenUrl }: OptionalServers): Promise<string[]> {
  const problems = await Promise.all([
    ...replicaUrls.map((url) => problemOf(url, 'DATABASE_REPLICA_URLS')),
    ...(listenUrl === null ? [] : [problemOf(listenUrl, 'DATABASE_LISTEN_URL')]),
  ]);
  return problems.flat();
}
