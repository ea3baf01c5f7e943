import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { freePort } from '../../../src/process/port.js';
import { nodeFlags } from '../../../src/server/lifecycle/node-flags.js';
import { oncePerRun } from './once-per-run.js';

/** The built service in a separate process. */
export interface Service {
  origin: string;
  pid: number | undefined;
  /** Returns the standard output and standard error so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Exit code after the process has exited. Null if a signal killed it. */
  exit: Promise<number | null>;
}

/**
 * Runs the built service with the Node flags of production and only the given environment variables. To run another release, pass the
 * directory that contains its build.
 */
export async function runService(variables: Record<string, string>, directory = '.'): Promise<Service> {
  if (directory === '.') await buildService();
  const port = variables.PORT ?? String(await freePort());
  const child = spawn(process.execPath, [...nodeFlags, join(directory, 'dist/src/main.js')], {
    env: { DEMO: 'false', ...variables, PORT: port },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exit = once(child, 'close').then(([code]) => code);
  return {
    origin: `http://localhost:${port}`,
    pid: child.pid,
    output: () => output,
    signal: (name) => child.kill(name),
    exit,
  };
}

/** Starts the service and waits until it accepts requests. */
export async function startService(variables: Record<string, string>, directory?: string): Promise<Service> {
  const service = await runService(variables, directory);
  const prematureExit = service.exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${service.output()}`)));
  while (!service.output().includes('Courtside is up')) await Promise.race([sleep(20), prematureExit]);
  prematureExit.catch(() => undefined);
  return service;
}

/** Creates a directory that is deleted at the end of the test run. */
export async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(inject('scratch'), 'data-'));
  // When tests run as root, PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(directory, 0o711);
  return directory;
}

/** Builds the service once per test run. */
export const buildService = (): Promise<void> =>
  oncePerRun('build', () => execFileSync(process.execPath, ['build.ts'], { stdio: ['ignore', 'ignore', 'inherit'] }));
