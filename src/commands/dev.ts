import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pretty from 'pino-pretty';
import { type BuildOptions, type OutputOptions, type Plugin, type RolldownWatcher, watch } from 'rolldown';
import { environmentWith, loadConfig } from '../config/index.js';
import { startEmbedded } from '../database/embedded.js';
import { type Command, parseArguments } from '../process/command.js';
import type { OpenResources } from '../server/lifecycle/open-resources.js';
import { runUntilStopped } from './run-until-stopped.js';

/** Directory of the build. It is not in `dist`, because other commands delete `dist` when they build. */
const outputDirectory = resolve('.dev');
const standbyFile = join(outputDirectory, 'standby.mjs');

/** Directories that the service reads at run time, keyed by the name of their symbolic link in the output directory. */
const servedFiles = {
  assets: 'src/pages/assets',
  graphiql: 'dist/graphiql',
  reference: 'dist/reference',
} as const;

/**
 * Matches imports of packages, which are not bundled. Bundling them would take most of the build time. JSON files are bundled, because the
 * bundler omits `with { type: 'json' }` from imports.
 */
const packages = /^(?!@oxc-project\/)[^./\0](?!.*\.json$)/;

/** Returns the code of the standby process. It imports the packages and starts the service when it receives a message. */
const standbyCode = (packageNames: readonly string[]): string => `
import { open } from 'node:inspector';
process.once('message', ({ inspect }) => {
  if (inspect) open();
  void import('./src/main.js');
});
await Promise.all(${JSON.stringify(packageNames)}.map((name) => import(name)));
`;

/** Runs the service in a child process and replaces it after each build. A standby process with loaded packages makes restarts fast. */
class DevelopmentProcess {
  readonly #environment: Record<string, string | undefined>;
  #running: ChildProcess | null = null;
  #standby: ChildProcess | null = null;
  #restarted: Promise<void> = Promise.resolve();

  constructor(environment: Record<string, string | undefined>) {
    this.#environment = environment;
  }

  /** Restarts the service after pending restarts have finished. A build can finish while an earlier build is being started. */
  restart(inspect: boolean): Promise<void> {
    this.#restarted = this.#restarted.then(() => this.#replace(inspect));
    return this.#restarted;
  }

  async stop(): Promise<void> {
    await this.#restarted;
    await Promise.all([kill(this.#running), kill(this.#standby)]);
  }

  async #replace(inspect: boolean): Promise<void> {
    await kill(this.#running);
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

/** Kills a process and waits until it exits. SIGKILL is safe, because the service stores its state in the database. */
async function kill(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exitEvent = once(child, 'exit');
  child.kill('SIGKILL');
  await exitEvent;
}

/** Emits the code of the standby process, which imports the same packages as the bundle. */
const standbyPlugin: Plugin = {
  name: 'standby',
  buildStart() {
    // The service caches these files, so it must restart when they change.
    const { assets } = servedFiles;
    for (const name of readdirSync(assets)) this.addWatchFile(resolve(assets, name));
  },
  generateBundle(_, bundle) {
    const files = new Set(Object.keys(bundle));
    const imports = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.imports : []));
    const packageNames = [...new Set(imports)].filter((name) => !files.has(name) && !name.startsWith('node:'));
    this.emitFile({ type: 'asset', fileName: 'standby.mjs', source: standbyCode(packageNames) });
  },
};

interface Bundles {
  readonly default: BuildOptions[];
  readonly consoleBundle: BuildOptions & { output: OutputOptions };
}

/** Rebuilds the service and the console after each change. Calls `onBuilt` after each build of the service. */
async function watchSources(onBuilt: (durationMs: number) => Promise<void>): Promise<RolldownWatcher> {
  const { default: bundles, consoleBundle }: Bundles = await import(pathToFileURL(resolve('rolldown.config.ts')).href);
  const [service] = bundles;
  const consoleDirectory = join(outputDirectory, 'console');
  const watcher = watch([
    {
      ...service,
      plugins: [standbyPlugin],
      external: packages,
      output: { dir: outputDirectory, sourcemap: true, strictExecutionOrder: true, chunkFileNames: 'parts/[name].js' },
    },
    { ...consoleBundle, output: { ...consoleBundle.output, dir: consoleDirectory } },
  ]);
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_END') {
      await event.result.close();
      // The service reads the files of the console on each request, so it need not restart.
      if (!event.output.includes(consoleDirectory)) await onBuilt(event.duration);
    }
    if (event.code === 'ERROR') console.error(`The build failed: ${event.error.message}`);
  });
  return watcher;
}

async function start(resources: OpenResources, inspect: boolean): Promise<void> {
  const config = loadConfig();
  for (const [name, source] of Object.entries(servedFiles)) {
    mkdirSync(outputDirectory, { recursive: true });
    const link = join(outputDirectory, name);
    rmSync(link, { force: true });
    symlinkSync(resolve(source), link);
  }
  const database = config.databaseUrl === null ? await startEmbedded(config.dataDir) : null;
  if (database) resources.add(database.stop);
  const variables = { DATABASE_URL: config.databaseUrl ?? database?.url ?? '', ...(database && { DEMO: 'true' }) };
  const service = new DevelopmentProcess(environmentWith(variables));
  resources.add(() => service.stop());
  const watcher = await watchSources(async (durationMs) => {
    console.log(`Built in ${durationMs} ms. Starting the service.`);
    await service.restart(inspect);
  });
  resources.add(() => watcher.close());
}

const usage = `Usage: npm run dev [-- options]

Builds and starts the service, then rebuilds and restarts it whenever a source file changes. The embedded database keeps running.
Open http://localhost:4000 in a browser. Press Ctrl-C to stop.

Options:
  --inspect  Let a debugger connect to port 9229.
  --help     Show this help.

Examples:
  npm run dev
  PORT=4100 npm run dev -- --inspect`;

async function run(args: string[]): Promise<number> {
  const { inspect } = parseArguments({ args, options: { inspect: { type: 'boolean', default: false } } }).values;
  return runUntilStopped((resources) => start(resources, inspect));
}

export const command: Command = { usage, run };
