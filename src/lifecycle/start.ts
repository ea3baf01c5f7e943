import type { Config } from '../config.js';
import { banner } from './banner.js';
import { checkPort } from './listen.js';
import { openDatabase } from './open-database.js';
import type { Opened } from './opened.js';

/** Starts the service in this one process. Most of its code is loaded while the database starts. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const load = once(() => loadServing(config));
  const databaseUrl = await openDatabase(config, opened, () => void load().catch(() => undefined));
  const serve = await load();
  const { port, lines } = await serve(config, opened, { databaseUrl, prepares: true, jobs: true });
  console.log(banner(port, config, lines));
}

/** Modules that are loaded in parallel with the database start. */
async function loadServing(config: Config) {
  const { build, serve } = await import('./serve.js');
  await build(config);
  return serve;
}

/** Memoizes a function. */
function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
