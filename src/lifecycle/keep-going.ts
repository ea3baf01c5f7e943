import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pace, pauseAfter } from './pace.js';

/** A process that was started by this one. */
export interface Life {
  readonly child: ChildProcess;
  /** When it began, in milliseconds. */
  readonly since: number;
  /** How it ended, as part of a sentence. */
  readonly ended: Promise<string>;
}

/** The life of a process that was just started. */
export const lifeOf = (child: ChildProcess): Life => ({
  child,
  since: Date.now(),
  ended: new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`));
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
  }),
});

/** Ends a process with a signal, and with force when it has not ended after so many milliseconds. */
export async function end({ child, ended }: Life, signal: NodeJS.Signals, patience: number): Promise<void> {
  child.kill(signal);
  // One that was stopped hears nothing until it goes on.
  child.kill('SIGCONT');
  const force = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(force);
}

export interface Keeping<L extends Life> {
  begin(): L;
  /** Resolves when the process is up; may reject when it ends before. */
  isUp(life: L): Promise<unknown>;
  /** Whether it answers; false when the signal says that it took too long. */
  answers(life: L, signal: AbortSignal): Promise<boolean>;
  /** Told how it ended, and after how many milliseconds it is started again. */
  tell(how: string, pause: number): void;
  readonly pace: Pace;
  /** When it is not to be started again any more. */
  readonly stopping: AbortSignal;
}

/** Starts a process again whenever it dies or hangs, after growing pauses, until it is to stop. */
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

/** Waits until a process has not answered twice in time: once may be because this one, or the machine, stood still. */
async function hangs<L extends Life>(life: L, { answers, pace }: Keeping<L>, signal: AbortSignal): Promise<string> {
  for (let missed = 0; missed < 2 && !signal.aborted; ) {
    await sleep(pace.look, undefined, { signal }).catch(() => undefined);
    missed = (await answers(life, AbortSignal.timeout(pace.patience))) ? 0 : missed + 1;
  }
  return 'does not answer';
}
