import { randomBytes } from 'node:crypto';
import closeWithGrace from 'close-with-grace';
import { loadConfig } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { createLog } from '../lifecycle/log.js';
import { modules } from '../modules/index.js';
import { StartProblem } from '../start-problem.js';
import { engineAsked, isNotThere, notInstalled, startGateway } from './gateway/index.js';
import { type ModuleProcess, startModules } from './processes.js';

/** What the command needs that may not be there; else it says so before anything runs. */
async function prepared() {
  try {
    return { engine: engineAsked(process.argv.slice(2)), ...(await import('./emit.js')) };
  } catch (error) {
    console.error(isNotThere(error) ? notInstalled : error instanceof StartProblem ? error.message : error);
    process.exitCode = 1;
    return null;
  }
}

/** `npm run supergraph`: every subgraph in a process of its own, on one embedded database, and a gateway in front. */
async function serve({ engine, emit, subgraphUrl }: NonNullable<Awaited<ReturnType<typeof prepared>>>): Promise<void> {
  const config = loadConfig();
  const database = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  const secret = config.routerSecrets[0] ?? randomBytes(24).toString('base64url');
  const variables = {
    DATABASE_URL: config.databaseUrl ?? database?.url ?? '',
    ROUTER_SECRET: secret,
    ...(database ? { DEMO: 'true' } : {}),
  };
  const processes: ModuleProcess[] = [];
  const closers: (() => Promise<void>)[] = database ? [database.stop] : [];

  closeWithGrace({ delay: 20_000 }, async () => {
    await Promise.all(processes.map((process) => process.stop()));
    for (const close of closers.reverse()) await close();
  });

  // The first one migrates and fills the database; the others find that done.
  const [first, ...rest] = modules.map(({ name }) => name);
  if (first) processes.push(await startModules([first], variables));
  processes.push(...(await Promise.all(rest.map((name) => startModules([name], variables)))));
  const originOf = new Map(processes.map(({ modules: [name = ''], origin }) => [name, origin]));
  const supergraph = emit((name) => subgraphUrl(name, originOf.get(name))).get('supergraph.graphql') ?? '';
  const gateway = await startGateway(engine, supergraph, secret, createLog(config.logLevel), config.port);
  closers.push(gateway.stop);
  for (const {
    modules: [name],
    origin,
  } of processes)
    console.log(`${name?.padEnd(14)} ${origin}/subgraphs/${name}`);
  console.log(`\nThe supergraph is up at ${gateway.url}, planned by ${gateway.engine}\nCtrl-C stops it.\n`);
}

const ready = await prepared();
if (ready) await serve(ready);
