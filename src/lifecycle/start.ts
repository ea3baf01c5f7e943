import type { MikroORM } from '@mikro-orm/postgresql';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { alone } from '../database/alone.js';
import { startEmbedded } from '../database/embedded.js';
import { migrate } from '../database/migrate.js';
import { connect } from '../database/orm.js';
import { reach } from '../database/reach.js';
import { checkPort, listen } from './listen.js';
import type { Opened } from './opened.js';

/** What a stage of filling the database is given. */
export interface Filling {
  orm: MikroORM;
  config: Config;
  /** The database is the embedded one. */
  embedded: boolean;
  /** Tells the person who started the service what is going on. */
  say: (sentence: string) => void;
}

/** Fills the database, and does nothing when that is done already. Returns lines to show when the service is up. */
export type Stage = (filling: Filling) => Promise<string[]>;

/** How the database is filled after its migrations, in this order, by one process at a time. */
export const stages: Stage[] = [];

/** Starts the service part by part; each is closed in reverse, also when a later one fails. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const embedded = config.databaseUrl === null;
  const url = config.databaseUrl ?? (await openEmbedded(config, opened));
  if (!embedded) await reach(url);
  const orm = await connect({ url, replicas: config.replicaUrls, pool: config.databasePool });
  opened.add(() => orm.close());
  await migrate(orm);
  const notes = await alone(orm, 'filling', async () => {
    const lines: string[] = [];
    for (const stage of stages) lines.push(...(await stage({ orm, config, embedded, say: console.log })));
    return lines;
  });
  const app = await createApp({ config, orm });
  opened.add(app.close);
  const listening = await listen(app.express, config);
  opened.add(listening.close);
  console.log(banner(`http://${hostFor(config.host)}:${listening.port}`, config, notes));
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

function banner(address: string, { graph }: Config, notes: string[]): string {
  const doors = graph ? [`GraphiQL     ${address}/graphql`, `legacy API   ${address}/v1`] : [];
  return [
    '',
    `Courtside is up at ${address}`,
    ...[...doors, ...notes].map((line) => `  ${line}`),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}
