import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWith } from '../config.js';
import { freePort } from '../port.js';
import { type Pace, pauseAfter, usual } from './pace.js';

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

interface Life {
  readonly child: ChildProcess;
  readonly since: number;
  /** How it ended, as part of a sentence. */
  readonly ended: Promise<string>;
}

/** The built service for some modules on one database. It is started again, at the same address, whenever it dies or hangs. */
export async function keepModules(
  modules: readonly string[],
  variables: Record<string, string>,
  { say, pace = usual }: Keeping,
): Promise<ModuleProcess & { up: Promise<void> }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = environmentWith({ ...variables, PORT: String(port), GRAPH: 'off', SUBGRAPHS: modules.join(',') });
  const stopping = new AbortController();
  let life = begin(env);

  async function keep(): Promise<void> {
    let pause: number | null = null;
    for (;;) {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, stopping.signal]);
      const how = await Promise.race([life.ended, hangs(origin, pace, signal)]);
      over.abort();
      if (stopping.signal.aborted) return;
      life.child.kill('SIGKILL');
      await life.ended;
      pause = pauseAfter(Date.now() - life.since, pause, pace);
      say(`${modules.join(', ')}: the process ${how}; it is started again in ${pause / 1000} s.`);
      await sleep(pause, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      life = begin(env);
      await isUp(life).catch(() => undefined);
    }
  }
  const up = isUp(life);
  const kept = up.then(keep, () => undefined);
  return {
    modules,
    origin,
    up,
    pid: () => life.child.pid,
    async stop() {
      stopping.abort();
      await end(life);
      await kept;
    },
  };
}

function begin(env: NodeJS.ProcessEnv): Life {
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env,
    // In a process group of its own, so that Ctrl-C does not reach it: it ends behind the gateway, whose requests it still answers.
    detached: true,
    // It ends with the channel, also when this process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => (signal ? `was ended by ${signal}` : `ended with ${code}`));
  return { child, since: Date.now(), ended };
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

/** Waits until a process has not answered twice in time: once may be because this one, or the machine, stood still. */
async function hangs(origin: string, { look, patience }: Pace, signal: AbortSignal): Promise<string> {
  for (let missed = 0; missed < 2 && !signal.aborted; ) {
    await sleep(look, undefined, { signal }).catch(() => undefined);
    missed = (await answers(origin, AbortSignal.timeout(patience))) ? 0 : missed + 1;
  }
  return 'does not answer';
}

/** Whether it answers, also by refusing: one that cannot be reached is dead or not up yet. */
const answers = (origin: string, signal: AbortSignal): Promise<boolean> =>
  fetch(`${origin}/health`, { signal })
    .then((response) => response.text())
    .then(() => true)
    .catch((error: Error) => error.name !== 'TimeoutError');

async function end({ child, ended }: Life): Promise<void> {
  child.kill('SIGTERM');
  // One that was stopped hears nothing until it goes on.
  child.kill('SIGCONT');
  const patience = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(patience);
}
