import cluster from 'node:cluster';
import type { Config } from '../../config/index.js';
import type { OpenResources } from '../lifecycle/open-resources.js';

/** Runs the primary process or a worker process, depending on the role of this process in the cluster. */
export async function start(config: Config, resources: OpenResources): Promise<void> {
  // This code is imported on demand, to save memory in the primary process, which serves no requests.
  const { start } = await (cluster.isPrimary ? import('./primary.js') : import('./worker.js'));
  await start(config, resources);
}
