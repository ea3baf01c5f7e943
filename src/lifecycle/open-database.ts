import type { Config } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { reach } from '../database/reach.js';
import type { Opened } from './opened.js';

/** The URL of the configured database, which answers and may be written to, or that of the embedded one, which is started. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>, opened: Opened): Promise<string> {
  if (config.databaseUrl !== null) {
    await reach(config.databaseUrl);
    return config.databaseUrl;
  }
  const database = await startEmbedded(config.dataDir);
  opened.add(database.stop);
  return database.url;
}
