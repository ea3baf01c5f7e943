import type { Config } from '../../config/index.js';
import { checkDatabase } from '../../database/check-database.js';
import { startEmbedded } from '../../database/embedded.js';
import type { OpenResources } from './open-resources.js';

/**
 * URL of the configured database, after checking that it is reachable and writable, or of the embedded one, which is started. `onWaiting` is called
 * while the process only waits for the database.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  resources: OpenResources,
  onWaiting: () => void = () => {},
): Promise<string> {
  if (databaseUrl === null) {
    const database = await startEmbedded(dataDir, { onWaiting });
    resources.add(database.stop);
    return database.url;
  }
  const reached = checkDatabase(databaseUrl);
  onWaiting();
  await reached;
  return databaseUrl;
}
