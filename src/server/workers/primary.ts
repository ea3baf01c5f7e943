import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { startupBanner } from '../lifecycle/banner.js';
import { checkConfig } from '../lifecycle/check-config.js';
import { createLog } from '../lifecycle/log.js';
import { openDatabase } from '../lifecycle/open-database.js';
import type { OpenResources } from '../lifecycle/open-resources.js';
import { Workers } from './workers.js';

/** Starts the workers and restarts them when they exit. Runs the embedded database, but serves no requests. */
export async function start(config: Config, resources: OpenResources): Promise<void> {
  const log = createLog(config.logLevel);
  const warn = (problem: string) => log.warn(problem);
  await checkConfig(config, warn);
  const databaseUrl = await openDatabase(config, resources, warn);
  const { workers: count, drainDelay } = config;
  const workers = new Workers({
    count,
    drainDelay,
    databaseUrl,
    log,
    consistencyTokenSecret: randomBytes(32).toString('base64'),
  });
  resources.add(() => workers.stop('SIGINT'));
  resources.beforeClose = () => workers.stop('SIGTERM');
  const { port, lines } = await workers.start().catch((error: Error) => {
    throw new StartProblem(`Courtside did not start: its first worker ${error.message}.`);
  });
  console.log(startupBanner(port, config, lines));
}
