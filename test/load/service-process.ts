import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '../../src/server/lifecycle/node-flags.js';

/** The built service in a separate process. */
export interface Process {
  readonly origin: string;
  readonly pid: number;
  /** Returns the output since the last call. */
  log(): string;
  /** Whether the process that was started is still running. */
  isUp(): boolean;
  /** Returns the resident memory in MB. Returns 0 on systems that do not report the memory. */
  memory(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Maximum time until the service accepts requests, in milliseconds. Sufficient for slow machines. */
const longest = 120_000;

/**
 * Starts the built service with only the given environment variables, on a free port unless PORT is set. Resolves when it accepts requests.
 */
export async function startProcess(variables: Record<string, string>, flags: readonly string[] = []): Promise<Process> {
  const child = spawn(process.execPath, [...nodeFlags, ...flags, 'dist/src/main.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...variables },
  });
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const isUp = () => child.exitCode === null && child.signalCode === null;
  const log = () => {
    const written = output;
    output = '';
    return written;
  };
  const pid = child.pid ?? 0;
  for (const startedAt = performance.now(); ; ) {
    const [, port] = /up at http:\/\/\S+:(\d+)/.exec(output) ?? [];
    if (!isUp()) throw new Error(`the service exited with ${child.exitCode}: ${output}`);
    if (port) {
      // Discards the output at startup, because it contains the demo tokens.
      log();
      return {
        origin: `http://127.0.0.1:${port}`,
        pid,
        log,
        isUp,
        memory: () => memoryOf(pid),
        signal: (name) => child.kill(name),
        async stop() {
          child.kill();
          await exit;
        },
      };
    }
    if (performance.now() - startedAt > longest) {
      child.kill('SIGKILL');
      throw new Error(`the service did not start within the time limit: ${output}`);
    }
    await sleep(50);
  }
}

function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
