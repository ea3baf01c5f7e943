import type { Config } from '../../config/index.js';
import { startupBanner } from './banner.js';
import { checkConfig, warnInLog } from './check-config.js';
import { openDatabase } from './open-database.js';
import type { OpenResources } from './open-resources.js';

/** Starts the service in a single process. Most of its code is imported while the database starts. */
export async function start(config: Config, resources: OpenResources): Promise<void> {
  const warn = warnInLog(config);
  await checkConfig(config, warn);
  let loading: ReturnType<typeof loadServe> | undefined;
  const load = () => {
    loading ??= loadServe(config);
    return loading;
  };
  const databaseUrl = await openDatabase(config, resources, warn, () => void load().catch(() => undefined));
  const serve = await load();
  const { port, lines } = await serve(config, resources, { databaseUrl, preparesDatabase: true, runsJobs: true });
  console.log(startupBanner(port, config, lines));
}

/** Imports the code that serves requests. */
async function loadServe(config: Config) {
  const { prepareServer, serve } = await import('./serve.js');
  await prepareServer(config);
  return serve;
}
