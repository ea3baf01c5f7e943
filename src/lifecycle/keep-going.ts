import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pace, pauseAfter } from './pace.js';

/** A child process. */
export interface Life {
  readonly child: ChildProcess;
  /** Start time, in milliseconds. */
  readonly since: number;
  /** How it exited, as part of a sentence. */
  readonly ended: Promise<string>;
}

/** Tracks a child process that was just started. */
export const lifeOf = (child: ChildProcess): Life => ({
  child,
  since: Date.now(),
  ended: new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`));
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
  }),
});

/** Stops a process with a signal, and with SIGKILL if it has not exited after the timeout in milliseconds. */
export async function end({ child, ended }: Life, signal: NodeJS.Signals, patience: number): Promise<void> {
  child.kill(signal);
  // A suspended process handles no signals until it continues.
  child.kill('SIGCONT');
  const force = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(force);
}

export interface Keeping<L extends Life> {
  begin(): L;
  /** Resolves when the process is ready. May reject if it exits before. */
  isUp(life: L): Promise<unknown>;
  /** Health check. False if the signal aborts first. */
  answers(life: L, signal: AbortSignal): Promise<boolean>;
  /** Called when the process has exited, with the delay before the restart in milliseconds. */
  tell(how: string, pause: number): void;
  readonly pace: Pace;
  /** Stops the restarts. */
  readonly stopping: AbortSignal;
}

/** Restarts a process whenever it exits or hangs, with exponential backoff. */
export async function keepGoing<L extends Life>(first: L, keeping: Keeping<L>): Promise<void> {
  const { begin, isUp, tell, pace, stopping } = keeping;
  let life = first;
  let pause: number | null = null;
  while (!stopping.aborted) {
    const over = new AbortController();
    const how = await Promise.race([life.ended, hangs(life, keeping, AbortSignal.any([over.signal, stopping]))]);
    over.abort();
    if (stopping.aborted) return;
    life.child.kill('SIGKILL');
    await life.ended;
    pause = pauseAfter(Date.now() - life.since, pause, pace);
    tell(how, pause);
    await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    life = begin();
    await isUp(life).catch(() => undefined);
  }
}

/** Waits until two consecutive health checks have failed. A single failure can be a pause of this process or of the machine. */
async function hangs<L extends Life>(life: L, { answers, pace }: Keeping<L>, signal: AbortSignal): Promise<string> {
  for (let missed = 0; missed < 2 && !signal.aborted; ) {
    await sleep(pace.look, undefined, { signal }).catch(() => undefined);
    missed = (await answers(life, AbortSignal.timeout(pace.patience))) ? 0 : missed + 1;
  }
  return 'does not answer';
}
