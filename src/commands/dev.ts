import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pretty from 'pino-pretty';
import { type BuildOptions, type Plugin, type RolldownWatcher, watch } from 'rolldown';
import { environmentWith, loadConfig } from '../config.js';
import { startEmbedded } from '../database/embedded.js';
import { closeInTime } from '../lifecycle/closing.js';
import { Opened } from '../lifecycle/opened.js';
import { StartProblem } from '../start-problem.js';

/** Outside of `dist`, which a build of another command deletes. */
const outputDirectory = resolve('.dev');
const standbyFile = join(outputDirectory, 'standby.mjs');

/** Files that the service reads beside its code, by their name in the output. */
const servedFiles = { assets: 'src/pages/assets', graphiql: 'dist/graphiql', reference: 'dist/reference' } as const;

/** Packages stay outside of the bundle: they do not change, and bundling them takes most of the time of a build. */
const packages = /^(?!@oxc-project\/)[^./\0]/;

/** Loads the packages, then waits for the message to load the service. */
const standbyCode = (packageNames: readonly string[]): string => `
import { open } from 'node:inspector';
process.once('message', ({ inspect }) => {
  if (inspect) open();
  void import('./src/main.js');
});
await Promise.all(${JSON.stringify(packageNames)}.map((name) => import(name)));
`;

/** The service in a process of its own, replaced after each build. A standby process has loaded the packages when the build ends. */
class DevelopmentProcess {
  readonly #environment: Record<string, string | undefined>;
  #running: ChildProcess | null = null;
  #standby: ChildProcess | null = null;
  #restarted: Promise<void> = Promise.resolve();

  constructor(environment: Record<string, string | undefined>) {
    this.#environment = environment;
  }

  /** Restarts run one after another: a build may end while the service of the previous one is being replaced. */
  restart(inspect: boolean): Promise<void> {
    this.#restarted = this.#restarted.then(() => this.#replace(inspect));
    return this.#restarted;
  }

  async stop(): Promise<void> {
    await this.#restarted;
    await Promise.all([end(this.#running), end(this.#standby)]);
  }

  async #replace(inspect: boolean): Promise<void> {
    await end(this.#running);
    this.#running = this.#standby ?? this.#spawn();
    this.#running.send({ inspect });
    this.#standby = this.#spawn();
  }

  #spawn(): ChildProcess {
    const child = spawn(process.execPath, ['--enable-source-maps', standbyFile], {
      env: this.#environment,
      // The service stops when the IPC channel closes, so it does not outlive a killed `npm run dev`.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    child.stdout?.pipe(pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }));
    return child;
  }
}

/** The database keeps its state, so the process need not end gracefully. */
async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Writes the code of the standby process, which imports the packages that the bundle imports. */
const standbyPlugin: Plugin = {
  name: 'standby',
  buildStart() {
    // The service keeps these files in memory, so it restarts when they change.
    const { assets } = servedFiles;
    for (const name of readdirSync(assets)) this.addWatchFile(resolve(assets, name));
  },
  generateBundle(_, bundle) {
    const files = new Set(Object.keys(bundle));
    const imported = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.imports : []));
    const packageNames = [...new Set(imported)].filter((name) => !files.has(name) && !name.startsWith('node:'));
    this.emitFile({ type: 'asset', fileName: 'standby.mjs', source: standbyCode(packageNames) });
  },
};

async function watchSources(onBuilt: (durationMs: number) => Promise<void>): Promise<RolldownWatcher> {
  const { default: bundles }: { default: BuildOptions[] } = await import(pathToFileURL(resolve('rolldown.config.ts')).href);
  const [service] = bundles;
  const watcher = watch({
    ...service,
    plugins: [standbyPlugin],
    external: packages,
    output: { dir: outputDirectory, sourcemap: true, strictExecutionOrder: true, chunkFileNames: 'parts/[name].js' },
  });
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_END') {
      await event.result.close();
      await onBuilt(event.duration);
    }
    if (event.code === 'ERROR') console.error(`The build failed: ${event.error.message}`);
  });
  return watcher;
}

/**
 * `npm run dev`: builds the service and restarts it after each change of its sources. The embedded database keeps running meanwhile. With
 * `-- --inspect` a debugger can connect to port 9229.
 */
async function start(opened: Opened): Promise<void> {
  const { values } = parseArgs({ options: { inspect: { type: 'boolean', default: false } } });
  const config = loadConfig();
  for (const [name, source] of Object.entries(servedFiles)) {
    mkdirSync(outputDirectory, { recursive: true });
    const link = join(outputDirectory, name);
    rmSync(link, { force: true });
    symlinkSync(resolve(source), link);
  }
  const database = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  if (database) opened.add(database.stop);
  const variables = { DATABASE_URL: config.databaseUrl ?? database?.url ?? '', ...(database && { DEMO: 'true' }) };
  const service = new DevelopmentProcess(environmentWith(variables));
  opened.add(() => service.stop());
  const watcher = await watchSources(async (durationMs) => {
    console.log(`Built in ${durationMs} ms, starting the service.`);
    await service.restart(values.inspect);
  });
  opened.add(() => watcher.close());
}

const opened = new Opened();
const closing = closeInTime(opened, () => process.kill(process.pid, 'SIGKILL'));
try {
  await start(opened);
} catch (error) {
  // A start that is interrupted by a signal fails in many ways. None of them is worth a message.
  if (!closing.hasBegun) {
    console.error(error instanceof StartProblem ? error.message : error);
    process.exitCode = 1;
    await opened.close();
  }
}
