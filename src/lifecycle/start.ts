import type { Config } from '../config.js';
import { banner } from './banner.js';
import { checkPort } from './listen.js';
import { openDatabase } from './open-database.js';
import type { Opened } from './opened.js';
import { serve } from './serve.js';

/** Starts the service in this one process. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const databaseUrl = await openDatabase(config, opened);
  const { port, lines } = await serve(config, opened, { databaseUrl, prepares: true, jobs: true });
  console.log(banner(port, config, lines));
}
