import type { Config } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { reach } from '../database/reach.js';
import { checkPort } from './listen.js';
import { createLog } from './log.js';
import type { Opened } from './opened.js';

/** Starts the service part by part; each is closed in reverse, also when a later one fails. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const log = createLog(config.logLevel);
  const traces = config.traces ? (await import('../traces/index.js')).startTraces(config.traces.serviceName, log) : null;
  if (traces) opened.add(traces.stop);
  const load = once(() => loadServing(config));
  const databaseUrl = await openDatabase(config, opened, () => void load().catch(() => undefined));
  const serve = await load();
  await serve({ config, opened, databaseUrl, log, traces });
}

/** Most of the code, and what is built of it. */
async function loadServing(config: Config) {
  const { build, serve } = await import('./serve.js');
  await build(config);
  return serve;
}

/** The address of a database that answers. `waiting` is called when there is nothing to do but wait for it. */
async function openDatabase({ databaseUrl, dataDir }: Config, opened: Opened, waiting: () => void): Promise<string> {
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

/** What is done once, when it is first asked for. */
function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
