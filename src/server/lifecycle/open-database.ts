import type { Config } from '../../config/index.js';
import { checkDatabase } from '../../database/check-database.js';
import { checkConnectionLimit } from '../../database/checks/connection-limits.js';
import { optionalServerProblems } from '../../database/checks/optional-servers.js';
import { startEmbedded } from '../../database/embedded.js';
import type { Warn } from './check-config.js';
import type { OpenResources } from './open-resources.js';

/** Starts the embedded database. Returns its URL. */
export async function openEmbedded(dataDir: string, resources: OpenResources, onWaiting: () => void = () => {}): Promise<string> {
  const database = await startEmbedded(dataDir, { onWaiting });
  resources.add(database.stop);
  return database.url;
}

/**
 * Starts the embedded database, or waits for the configured one, and checks that the service can use it. Returns its URL. Calls `onWaiting`
 * once it has nothing to do but wait for the database, so that the caller can do other work. Calls `warn` for each problem that does not
 * prevent the start, even after this function has returned.
 */
export async function openDatabase(
  config: Config,
  resources: OpenResources,
  warn: Warn,
  onWaiting: () => void = () => {},
): Promise<string> {
  const url = config.databaseUrl ?? (await openEmbedded(config.dataDir, resources, onWaiting));
  const check = checkDatabase(url, config.databaseUrl === null ? null : 'DATABASE_URL');
  onWaiting();
  const { info, server } = await check;
  const warning = checkConnectionLimit(config, info, server);
  if (warning) warn(warning);
  // The check is not awaited, because a server that does not respond would delay the start.
  void optionalServerProblems(config)
    .then((problems) => problems.forEach(warn))
    .catch(() => undefined);
  return url;
}
