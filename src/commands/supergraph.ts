import { randomBytes } from 'node:crypto';
import { loadConfig } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { closeInTime } from '../lifecycle/closing.js';
import { createLog } from '../lifecycle/log.js';
import { Opened } from '../lifecycle/opened.js';
import { modules } from '../modules/index.js';
import { StartProblem } from '../start-problem.js';
import { isNotThere, notInstalled, startGateway } from './gateway/index.js';
import { keepModules, type ModuleProcess } from './processes.js';
import { supergraphOptions } from './supergraph-options.js';

/** The composition, which may not be installed: that is said before anything runs. */
const composition = () =>
  import('./emit.js').catch((error: unknown) => {
    throw isNotThere(error) ? new StartProblem(notInstalled) : error;
  });

/**
 * `npm run supergraph`: every subgraph in a process of its own, on one embedded database, and a gateway in front. With
 * `-- --processes 2` the subgraphs share that many processes, and `-- --engine apollo` says who plans.
 */
async function start(opened: Opened): Promise<void> {
  const { engine, shares } = supergraphOptions(process.argv.slice(2));
  const { emit, subgraphUrl } = await composition();
  const config = loadConfig();
  const database = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  if (database) opened.add(database.stop);
  const secret = config.routerSecrets[0] ?? randomBytes(24).toString('base64url');
  const variables = {
    DATABASE_URL: config.databaseUrl ?? database?.url ?? '',
    ROUTER_SECRET: secret,
    DEMO: String(config.demo === 'auto' ? database !== null : config.demo),
  };
  const processes: ModuleProcess[] = [];
  opened.add(async () => void (await Promise.all(processes.map(({ stop }) => stop()))));
  const open = async (names: readonly string[]) => {
    const kept = await keepModules(names, variables, { say: console.log });
    processes.push(kept);
    await kept.up;
  };
  // The first one migrates and fills the database; the others find that done.
  const [first = [], ...rest] = shares;
  await open(first);
  await Promise.all(rest.map(open));

  const originOf = (name: string) => processes.find(({ modules: served }) => served.includes(name))?.origin;
  const supergraph = emit((name) => subgraphUrl(name, originOf(name))).get('supergraph.graphql') ?? '';
  const log = createLog(config.logLevel);
  const traces = config.traces
    ? (await import('../traces/index.js')).startTraces(`${config.traces.serviceName}-gateway`, log)
    : null;
  if (traces) opened.add(traces.stop);
  const gateway = await startGateway(engine, supergraph, secret, log, { port: config.port, traced: traces?.requests });
  opened.add(gateway.stop);
  for (const { name } of modules) console.log(`${name.padEnd(14)} ${subgraphUrl(name, originOf(name))}`);
  console.log(`\nThe supergraph is up at ${gateway.url}, planned by ${gateway.engine}\nCtrl-C stops it.\n`);
}

const opened = new Opened();
// What is killed leaves nothing behind: the subgraphs and the database end with the process that started them.
const closing = closeInTime(opened, () => process.kill(process.pid, 'SIGKILL'));
try {
  await start(opened);
} catch (error) {
  // What fails because a signal is just closing it is no news.
  if (!closing.hasBegun) {
    console.error(error instanceof StartProblem ? error.message : error);
    process.exitCode = 1;
    await opened.close();
  }
}
