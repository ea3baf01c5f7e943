import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../config/index.js';
import { startEmbedded } from '../../database/embedded.js';
import { modules } from '../../modules/index.js';
import type { Command } from '../../process/command.js';
import { StartProblem } from '../../process/start-problem.js';
import { checkPort } from '../../server/lifecycle/listen.js';
import { createLog } from '../../server/lifecycle/log.js';
import type { OpenResources } from '../../server/lifecycle/open-resources.js';
import { runUntilStopped } from '../run-until-stopped.js';
import { isMissingPackageError, notInstalledMessage } from './gateway/engines.js';
import { startGateway } from './gateway/index.js';
import { supergraphOptions, supergraphUsage } from './options.js';
import { type ModuleProcess, superviseModules } from './processes.js';

/** Loads the composition code before any process starts, because its package may not be installed. */
const loadComposition = () =>
  import('../emit.js').catch((error: unknown) => {
    throw isMissingPackageError(error) ? new StartProblem(notInstalledMessage) : error;
  });

async function start(
  resources: OpenResources,
  { engine, modulesByProcess }: ReturnType<typeof supergraphOptions>,
): Promise<void> {
  const { emitSchemas, subgraphUrl } = await loadComposition();
  const config = loadConfig();
  await checkPort({ host: '127.0.0.1', port: config.port });
  const database = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  if (database) resources.add(database.stop);
  const secret = config.routerSecrets[0] ?? randomBytes(24).toString('base64url');
  const variables = {
    DATABASE_URL: config.databaseUrl ?? database?.url ?? '',
    ROUTER_SECRET: secret,
    DEMO: String(config.demo === 'auto' ? database !== null : config.demo),
  };
  const processes: ModuleProcess[] = [];
  resources.add(async () => void (await Promise.all(processes.map(({ stop }) => stop()))));
  const startProcess = async (names: readonly string[]) => {
    const child = await superviseModules(names, variables, { log: console.log });
    processes.push(child);
    await child.up;
  };
  // The first process migrates the database and loads the demo data before the other processes start.
  const [firstModules = [], ...otherModules] = modulesByProcess;
  await startProcess(firstModules);
  await Promise.all(otherModules.map(startProcess));

  const originOf = (name: string) => processes.find(({ modules: served }) => served.includes(name))?.origin;
  const supergraph = emitSchemas((name) => subgraphUrl(name, originOf(name))).get('supergraph.graphql') ?? '';
  const log = createLog(config.logLevel);
  const traces = config.traces
    ? await (await import('../../traces/index.js')).startTraces(
        { ...config.traces, serviceName: `${config.traces.serviceName}-gateway` },
        log,
      )
    : null;
  if (traces) resources.add(traces.stop);
  const gateway = await startGateway(engine, supergraph, secret, log, { port: config.port, traced: traces?.traceRequests });
  resources.add(gateway.stop);
  for (const { name } of modules) console.log(`${name.padEnd(14)} ${subgraphUrl(name, originOf(name))}`);
  console.log(`\nThe supergraph is up at ${gateway.url}, with the engine ${gateway.engine}\nPress Ctrl-C to stop.\n`);
}

export const command: Command = {
  usage: supergraphUsage,
  async run(args) {
    const options = supergraphOptions(args);
    return runUntilStopped((resources) => start(resources, options));
  },
};
