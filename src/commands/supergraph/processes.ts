import { spawn } from 'node:child_process';
import { environmentWith } from '../../config/index.js';
import { freePort } from '../../process/port.js';
import { nodeFlags } from '../../server/lifecycle/node-flags.js';
import {
  defaultRestartPolicy,
  type RestartPolicy,
  stopChild,
  superviseChild,
  type TrackedChild,
  trackChild,
} from '../../server/lifecycle/supervise.js';

/** A supervised process that serves the subgraphs of some modules. */
export interface ModuleProcess {
  readonly modules: readonly string[];
  readonly origin: string;
  /** Process ID, which changes with each restart. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

interface ModuleProcessOptions {
  /** Prints a message about a restart. */
  log: (message: string) => void;
  policy?: RestartPolicy;
}

/** Starts the built service for some modules, and restarts it at the same origin when it exits or hangs. */
export async function superviseModules(
  modules: readonly string[],
  variables: Record<string, string>,
  { log, policy = defaultRestartPolicy }: ModuleProcessOptions,
): Promise<ModuleProcess & { up: Promise<void> }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = environmentWith({ ...variables, PORT: String(port), WORKERS: '1', GRAPH: 'off', SUBGRAPHS: modules.join(',') });
  const stopping = new AbortController();
  let process = startProcess(env);

  const supervise = () =>
    superviseChild(process, {
      start: () => {
        process = startProcess(env);
        return process;
      },
      isUp: untilReady,
      isHealthy: (_, signal) => isResponsive(origin, signal),
      onExit: (reason, delay) => log(`${modules.join(', ')}: the process ${reason}. It will restart in ${delay / 1000} s.`),
      policy,
      stopping: stopping.signal,
    });
  const started = untilReady(process);
  const supervision = started.then(supervise, () => undefined);
  return {
    modules,
    origin,
    up: started,
    pid: () => process.child.pid,
    async stop() {
      stopping.abort();
      await stopChild(process, 'SIGTERM', 15_000);
      await supervision;
    },
  };
}

function startProcess(env: NodeJS.ProcessEnv): TrackedChild {
  const child = spawn(process.execPath, [...nodeFlags, 'dist/src/main.js'], {
    env,
    // A separate process group does not receive Ctrl-C. The child process must stop after the gateway, which still sends requests to it.
    detached: true,
    // The child process stops when the IPC channel closes, even if its parent is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return trackChild(child);
}

/** Waits until a process accepts requests. From then on, its log is forwarded to standard output. */
async function untilReady({ child: { stdout }, exitReason }: TrackedChild): Promise<void> {
  let output = '';
  const started = new Promise<void>((resolve) => {
    const appendOutput = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('Press Ctrl-C to stop.')) return;
      stdout?.off('data', appendOutput).on('data', (log) => process.stdout.write(log));
      resolve();
    };
    stdout?.on('data', appendOutput);
  });
  await Promise.race([
    started,
    exitReason.then((reason) => Promise.reject(new Error(`A supergraph process ${reason}. ${output}`))),
  ]);
}

/** Whether a process responds in time. A refused connection counts as a response, because it means that the process is stopped or starting. */
const isResponsive = (origin: string, signal: AbortSignal): Promise<boolean> =>
  fetch(`${origin}/health`, { signal })
    .then((response) => response.text())
    .then(() => true)
    .catch((error: Error) => error.name !== 'TimeoutError');
