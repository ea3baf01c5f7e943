import type { Config } from '../../config/index.js';
import { checkDatabase } from '../../database/check-database.js';
import { startEmbedded } from '../../database/embedded.js';
import type { OpenResources } from './open-resources.js';

/**
 * Starts the embedded database, or checks that the configured database is reachable and writable. Returns its URL. Calls `onWaiting` once
 * it only waits for the database, so that the caller can do other work.
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
  const check = checkDatabase(databaseUrl);
  onWaiting();
  await check;
  return databaseUrl;
}
