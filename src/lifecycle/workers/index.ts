import cluster from 'node:cluster';
import type { Config } from '../../config.js';
import type { Opened } from '../opened.js';

/** Starts the service as several processes, or the one of them that this one is. */
export async function start(config: Config, opened: Opened): Promise<void> {
  // Each loads what it needs: the primary serves no requests, and is small.
  const { start } = await (cluster.isPrimary ? import('./primary.js') : import('./worker.js'));
  await start(config, opened);
}
