import type { Logger } from 'pino';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { migrate } from '../database/migrate.js';
import { connect } from '../database/orm.js';
import { graphOfModules } from '../gateway/graph.js';
import { nightly } from '../messaging/timetable.js';
import type { Traces } from '../traces/index.js';
import { fill } from './fill.js';
import { listen } from './listen.js';
import type { Opened } from './opened.js';
import { clearStartGarbage, growSlowly } from './start-garbage.js';

interface Serving {
  config: Config;
  opened: Opened;
  databaseUrl: string;
  log: Logger;
  traces: Traces | null;
}

/** What serving needs and can be made without a database. */
export async function build({ graph }: Config): Promise<void> {
  if (!graph) return;
  await import('../graph-host.js');
  graphOfModules();
}

/** Serves from a database that answers: brings it up to this release, then takes requests. */
export async function serve({ config, opened, databaseUrl, log, traces }: Serving): Promise<void> {
  const orm = connect({
    url: databaseUrl,
    replicas: config.replicaUrls,
    pool: config.databasePool,
    prepared: config.databasePrepared,
    lazily: true,
  });
  opened.add(() => orm.close());
  await migrate(orm);
  const { lines, demoTokens } = await fill(orm, config, console.log);
  const app = await createApp({ config, orm, databaseUrl, log, demoTokens, timetable: nightly });
  opened.add(app.close);
  const listening = await listen(traces ? traces.requests(app.listener) : app.listener, config);
  opened.add(listening.close);
  opened.drain = async () => {
    if (config.drainDelay === 0) return;
    app.drain();
    await listening.drain(config.drainDelay);
  };
  growSlowly();
  clearStartGarbage();
  console.log(banner(`http://${hostFor(config.host)}:${listening.port}`, config, lines));
}

/** How this machine reaches the address that the service listens on. */
const hostFor = (host: string): string => {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

function banner(address: string, { graph }: Config, lines: string[]): string {
  const rootFields = graph ? [`GraphiQL     ${address}/graphql`, `legacy API   ${address}/v1`] : [];
  return [
    '',
    `Courtside is up at ${address}`,
    ...[...rootFields, ...lines].map((line) => `  ${line}`),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}
