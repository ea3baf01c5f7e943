import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { migrate } from '../database/migrate.js';
import { connect } from '../database/orm.js';
import { reach } from '../database/reach.js';
import { nightly } from '../messaging/timetable.js';
import { fill } from './fill.js';
import { checkPort, listen } from './listen.js';
import { createLog } from './log.js';
import type { Opened } from './opened.js';
import { clearStartGarbage } from './start-garbage.js';

/** Starts the service part by part; each is closed in reverse, also when a later one fails. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const log = createLog(config.logLevel);
  const traces = config.traces ? (await import('../traces/index.js')).startTraces(config.traces.serviceName, log) : null;
  if (traces) opened.add(traces.stop);
  const embedded = config.databaseUrl === null;
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, opened));
  if (!embedded) await reach(databaseUrl);
  const orm = await connect({
    url: databaseUrl,
    replicas: config.replicaUrls,
    pool: config.databasePool,
    prepared: config.databasePrepared,
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
  clearStartGarbage();
  console.log(banner(`http://${hostFor(config.host)}:${listening.port}`, config, lines));
}

async function openEmbedded(config: Config, opened: Opened): Promise<string> {
  const database = await startEmbedded(config.dataDir);
  opened.add(database.stop);
  return database.url;
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
