import type { Config } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { reach } from '../database/reach.js';
import type { Opened } from './opened.js';

/**
 * URL of the configured database, after checking that it is reachable and writable, or of the embedded one, which is started. `waiting` is called
 * while the process only waits for the database.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  opened: Opened,
  waiting: () => void = () => {},
): Promise<string> {
  if (databaseUrl === null) {
    const database = await startEmbedded(dataDir, { waiting });
    opened.add(database.stop);
    return database.url;
  }
  const reached = reach(databaseUrl);
  waiting();
  await reached;
  return databaseUrl;
}
