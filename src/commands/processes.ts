import { spawn } from 'node:child_process';
import { environmentWith } from '../config.js';
import { end, keepGoing, type Life, lifeOf } from '../lifecycle/keep-going.js';
import { nodeFlags } from '../lifecycle/node-flags.js';
import { type Pace, usual } from '../lifecycle/pace.js';
import { freePort } from '../port.js';

/** A process of the service that serves some modules only, and is started again when it dies or hangs. */
export interface ModuleProcess {
  readonly modules: readonly string[];
  readonly origin: string;
  /** Its process id now. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

interface Keeping {
  /** Tells the person who started it what happens to it. */
  say: (sentence: string) => void;
  pace?: Pace;
}

/** The built service for some modules on one database. It is started again, at the same address, whenever it dies or hangs. */
export async function keepModules(
  modules: readonly string[],
  variables: Record<string, string>,
  { say, pace = usual }: Keeping,
): Promise<ModuleProcess & { up: Promise<void> }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = environmentWith({ ...variables, PORT: String(port), WORKERS: '1', GRAPH: 'off', SUBGRAPHS: modules.join(',') });
  const stopping = new AbortController();
  let life = begin(env);

  const keep = () =>
    keepGoing(life, {
      begin: () => {
        life = begin(env);
        return life;
      },
      isUp,
      answers: (_, signal) => answers(origin, signal),
      tell: (how, pause) => say(`${modules.join(', ')}: the process ${how}; it is started again in ${pause / 1000} s.`),
      pace,
      stopping: stopping.signal,
    });
  const up = isUp(life);
  const kept = up.then(keep, () => undefined);
  return {
    modules,
    origin,
    up,
    pid: () => life.child.pid,
    async stop() {
      stopping.abort();
      await end(life, 'SIGTERM', 15_000);
      await kept;
    },
  };
}

function begin(env: NodeJS.ProcessEnv): Life {
  const child = spawn(process.execPath, [...nodeFlags, 'dist/src/main.js'], {
    env,
    // In a process group of its own, so that Ctrl-C does not reach it: it ends behind the gateway, whose requests it still answers.
    detached: true,
    // It ends with the channel, also when this process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return lifeOf(child);
}

/** Waits until a process takes requests. What it logs from then on is passed on. */
async function isUp({ child: { stdout }, ended }: Life): Promise<void> {
  let output = '';
  const said = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('Ctrl-C stops it.')) return;
      stdout?.off('data', read).on('data', (log) => process.stdout.write(log));
      resolve();
    };
    stdout?.on('data', read);
  });
  await Promise.race([said, ended.then((how) => Promise.reject(new Error(`A process of the supergraph ${how}. ${output}`)))]);
}

/** Whether it answers, also by refusing: one that cannot be reached is dead or not up yet. */
const answers = (origin: string, signal: AbortSignal): Promise<boolean> =>
  fetch(`${origin}/health`, { signal })
    .then((response) => response.text())
    .then(() => true)
    .catch((error: Error) => error.name !== 'TimeoutError');
