import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When a service that is up has answered its first requests. */
const calm = 2_000;

/** The part of its time that a service has work in which nobody asks it anything. */
const idle = 0.05;

/** Resident memory, in bytes: from which on a process is full, and below which it is roomy again. */
const full = 370e6;
const roomy = 310e6;

/** By how many percent of what was left the last time its old space may grow until V8 collects all of it. */
const growth = { roomy: 50, full: 20 } as const;

const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** All of V8's garbage, at once. */
function collectAll(options: NodeJS.GCOptions): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect(options);
}

/**
 * Has V8 collect garbage from now on as requests need it.
 *
 * It does so when its old space is half as much again as was left the last time: by itself it waits for up to four times that, which a
 * hundred requests that ask for much turn into hundreds of megabytes; a process that has taken much waits for less. And it takes nothing for old before it is. By
 * itself it makes objects in its old space where many of their kind have outlived two collections, which all do that are in flight when load
 * begins: from then on the rows of every request, and what they are made of, stay until the whole heap is collected, and a list takes up to
 * twice the processor time.
 */
export function collectForRequests(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  growBy(growth.roomy);
  let isFull = false;
  setInterval(() => {
    const resident = process.memoryUsage.rss();
    if (isFull ? resident > roomy : resident < full) return;
    isFull = !isFull;
    growBy(isFull ? growth.full : growth.roomy);
    // How far it may grow follows from the last collection.
    if (isFull) collectAll({ type: 'major', execution: 'sync' });
  }, 1_000).unref();
}

/**
 * Gives back what the start has left behind, once and as soon as the service has nothing to do: V8 keeps the room that it took for it, and a
 * process that nobody asks anything would hold it for ever. Only for small processes: in the room that the start took, garbage is collected
 * so much more rarely under load that a request of the whole service takes a third less processor time.
 */
export function clearStartGarbage(before = performance.eventLoopUtilization()): void {
  setTimeout(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization > idle) return clearStartGarbage(now);
    collectAll({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, calm).unref();
}
