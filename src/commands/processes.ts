import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentWith } from '../config.js';
import { freePort } from '../port.js';

/** A process of the service that serves some modules only. */
export interface ModuleProcess {
  modules: readonly string[];
  origin: string;
  stop(): Promise<void>;
}

/** Starts the built service for some modules on one database, and waits until it takes requests. */
export async function startModules(modules: readonly string[], variables: Record<string, string>): Promise<ModuleProcess> {
  const port = await freePort();
  const env = environmentWith({ ...variables, PORT: String(port), GRAPH: 'off', SUBGRAPHS: modules.join(',') });
  const child = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await up(child, modules);
  return { modules, origin: `http://127.0.0.1:${port}`, stop: () => end(child) };
}

async function up(child: ChildProcess, modules: readonly string[]): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      output += text;
      if (output.includes('Courtside is up')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the process of ${modules.join(', ')} ended with ${code}: ${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
