import type { Config } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { reach } from '../database/reach.js';
import type { Opened } from './opened.js';

/**
 * The URL of the configured database, which answers and may be written to, or that of the embedded one, which is started. `waiting` is
 * called when there is nothing to do but wait for it.
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
