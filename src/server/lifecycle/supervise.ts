import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Timing of restarts and health checks, in milliseconds. */
export interface RestartPolicy {
  /** Initial restart delay. Doubles with each restart, up to the maximum. */
  readonly initialDelay: number;
  readonly maxDelay: number;
  /** Uptime after which the restart delay is reset. */
  readonly resetAfter: number;
  /** Interval of health checks. */
  readonly checkInterval: number;
  /** Timeout of a health check. */
  readonly checkTimeout: number;
}

export const defaultRestartPolicy: RestartPolicy = {
  initialDelay: 500,
  maxDelay: 30_000,
  resetAfter: 60_000,
  checkInterval: 1_000,
  checkTimeout: 5_000,
};

/** Returns the delay before the next restart. `previousDelay` is null for the first restart. */
export const nextDelay = (
  uptime: number,
  previousDelay: number | null,
  { initialDelay, maxDelay, resetAfter }: RestartPolicy,
): number => (previousDelay === null || uptime >= resetAfter ? initialDelay : Math.min(previousDelay * 2, maxDelay));

/** State of a child process. */
export interface TrackedChild {
  readonly child: ChildProcess;
  /** Start time, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Resolves with the reason when the process has exited, such as `exited with code 1`. */
  readonly exitReason: Promise<string>;
}

/** Tracks a child process. Must be called immediately after its start. */
export const trackChild = (child: ChildProcess): TrackedChild => ({
  child,
  since: Date.now(),
  exitReason: new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was terminated by ${signal}` : `exited with code ${code}`));
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
  }),
});

/** Sends a signal to a process, and SIGKILL if it has not exited after the timeout in milliseconds. Resolves when it has exited. */
export async function stopChild({ child, exitReason }: TrackedChild, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  child.kill(signal);
  // A suspended process handles no signals until it continues.
  child.kill('SIGCONT');
  const forceTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exitReason;
  clearTimeout(forceTimer);
}

interface Supervision<L extends TrackedChild> {
  start(): L;
  /** Resolves when the process is ready. May reject if the process exits first. */
  isUp(current: L): Promise<unknown>;
  /** Checks the health of the process. Resolves to false if the signal aborts first. */
  isHealthy(current: L, signal: AbortSignal): Promise<boolean>;
  /** Called when the process has exited, with the delay before the restart in milliseconds. */
  onExit(reason: string, delay: number): void;
  readonly policy: RestartPolicy;
  /** Signal that stops the restarts. */
  readonly stopping: AbortSignal;
}

/** Restarts a process after it exits or hangs, with exponential backoff. */
export async function superviseChild<L extends TrackedChild>(first: L, supervision: Supervision<L>): Promise<void> {
  const { start, isUp, onExit, policy, stopping } = supervision;
  let current = first;
  let delay: number | null = null;
  while (!stopping.aborted) {
    const cycleEnd = new AbortController();
    const reason = await Promise.race([
      current.exitReason,
      waitForHang(current, supervision, AbortSignal.any([cycleEnd.signal, stopping])),
    ]);
    cycleEnd.abort();
    if (stopping.aborted) return;
    current.child.kill('SIGKILL');
    await current.exitReason;
    delay = nextDelay(Date.now() - current.since, delay, policy);
    onExit(reason, delay);
    await sleep(delay, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    current = start();
    await isUp(current).catch(() => undefined);
  }
}

/** Waits until two consecutive health checks have failed. A single check can also fail because the machine was suspended. */
async function waitForHang<L extends TrackedChild>(
  current: L,
  { isHealthy, policy }: Supervision<L>,
  signal: AbortSignal,
): Promise<string> {
  for (let failures = 0; failures < 2 && !signal.aborted; ) {
    await sleep(policy.checkInterval, undefined, { signal }).catch(() => undefined);
    failures = (await isHealthy(current, AbortSignal.timeout(policy.checkTimeout))) ? 0 : failures + 1;
  }
  return 'does not respond';
}
