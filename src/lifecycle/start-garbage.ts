import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { collectAll } from '../collect-all.js';

/** When a service that is up has answered its first requests. */
const calm = 2_000;

/** The part of its time that a service has work in which nobody asks it anything. */
const idle = 0.05;

/** Resident memory, in bytes, from which on a process gives back what it can. */
const full = 400e6;

/** How often it looks, and how long it leaves its clients in peace after it did so, in milliseconds. */
const look = 1_000;
const pause = 5_000;

/**
 * Has V8 collect garbage from now on as requests need it.
 *
 * It does so when its old space is half as much again as was left the last time: by itself it waits for up to four times that, which a
 * hundred requests that ask for much turn into hundreds of megabytes. And it takes nothing for old before it is. By itself it makes objects in its old space
 * where many of their kind have outlived two collections, which all do that are in flight when load begins: from then on the rows of
 * every request, and what they are made of, stay until the whole heap is collected, and a list takes up to twice the processor time.
 *
 * V8 keeps the room that it has taken: a process that has taken more than requests of its clients ever do, gives it back.
 */
export function collectForRequests(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
  let last = -pause;
  let most = full;
  setInterval(() => {
    if (performance.now() - last < pause || process.memoryUsage.rss() < most) return;
    collectAll();
    last = performance.now();
    // The remaining memory is in use, so the next collection pays off once it has grown by a tenth. Measured immediately, because under load
    // much of it would be garbage again a second later.
    most = Math.max(full, 1.1 * process.memoryUsage.rss());
  }, look).unref();
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
    collectAll();
  }, calm).unref();
}
