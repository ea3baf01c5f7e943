import type { MikroORM } from '@mikro-orm/postgresql';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { alone } from '../database/alone.js';
import { startEmbedded } from '../database/embedded.js';
import { migrate } from '../database/migrate.js';
import { connect } from '../database/orm.js';
import { reach } from '../database/reach.js';
import { Source, Sql } from '../kernel/sql.js';
import { loadReference } from '../modules/reference/load.js';
import { checkPort, listen } from './listen.js';
import { createLog } from './log.js';
import type { Opened } from './opened.js';

/** What a stage of filling the database is given. */
export interface Filling {
  orm: MikroORM;
  /** Statements on the primary. */
  sql: Sql;
  config: Config;
  /** The database is the embedded one. */
  embedded: boolean;
  /** Tells the person who started the service what is going on. */
  say: (sentence: string) => void;
}

/** What a stage has to tell when the service is up. */
export interface Filled {
  lines?: string[];
  /** The token of the demo platform, when the database holds the demo season. */
  demoToken?: string;
}

/** Fills the database, and does nothing when that is done already. */
export type Stage = (filling: Filling) => Promise<Filled>;

/** How the database is filled after its migrations, in this order, by one process at a time. */
export const stages: Stage[] = [({ sql }) => loadReference(sql).then(() => ({}))];

/** Starts the service part by part; each is closed in reverse, also when a later one fails. */
export async function start(config: Config, opened: Opened): Promise<void> {
  await checkPort(config);
  const embedded = config.databaseUrl === null;
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, opened));
  if (!embedded) await reach(databaseUrl);
  const orm = await connect({ url: databaseUrl, replicas: config.replicaUrls, pool: config.databasePool });
  opened.add(() => orm.close());
  await migrate(orm);
  const { lines, demoToken } = await fill({ orm, sql: new Sql(new Source(orm), 'write'), config, embedded, say: console.log });
  const app = await createApp({ config, orm, databaseUrl, log: createLog(config.logLevel), demoToken });
  opened.add(app.close);
  const listening = await listen(app.express, config);
  opened.add(listening.close);
  console.log(banner(`http://${hostFor(config.host)}:${listening.port}`, config, lines));
}

async function openEmbedded(config: Config, opened: Opened): Promise<string> {
  const database = await startEmbedded(config.dataDir);
  opened.add(database.stop);
  return database.url;
}

const fill = (filling: Filling): Promise<{ lines: string[]; demoToken: string | null }> =>
  alone(filling.orm, 'filling', async () => {
    const filled: Filled[] = [];
    for (const stage of stages) filled.push(await stage(filling));
    return {
      lines: filled.flatMap(({ lines = [] }) => lines),
      demoToken: filled.find(({ demoToken }) => demoToken)?.demoToken ?? null,
    };
  });

/** How this machine reaches the address that the service listens on. */
const hostFor = (host: string): string => {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

function banner(address: string, { graph }: Config, lines: string[]): string {
  const doors = graph ? [`GraphiQL     ${address}/graphql`, `legacy API   ${address}/v1`] : [];
  return [
    '',
    `Courtside is up at ${address}`,
    ...[...doors, ...lines].map((line) => `  ${line}`),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}
