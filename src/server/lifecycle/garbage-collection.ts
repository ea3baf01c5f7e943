import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { collectAll } from '../../process/collect-all.js';

/** Delay after the start, in milliseconds. */
const calmMs = 2_000;

/** Maximum event loop utilization at which the service counts as idle. */
const maxIdleUtilization = 0.05;

/** Resident memory in bytes from which garbage is collected explicitly. */
const memoryThreshold = 400e6;

/** Interval of memory checks, and the minimum pause between collections, in milliseconds. */
const checkIntervalMs = 1_000;
const minPauseMs = 5_000;

/**
 * Tunes the garbage collection of V8 for a server.
 *
 * The old space is collected after 50 % growth. By default, V8 waits for up to 400 %, so that a hundred large requests can add
 * hundreds of megabytes. Pretenuring is disabled. Otherwise, objects that are alive when load starts cause later ones of the same
 * kind to be allocated in the old space. All rows of every request then remain until a full collection, and a list takes up to
 * twice the CPU time.
 *
 * V8 keeps the memory that it has allocated. A process that uses unusually much memory returns it by an explicit collection.
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
  let lastCollection = -minPauseMs;
  let threshold = memoryThreshold;
  setInterval(() => {
    if (performance.now() - lastCollection < minPauseMs || process.memoryUsage.rss() < threshold) return;
    collectAll();
    lastCollection = performance.now();
    // The remaining memory is in use, so the next collection pays off once it has grown by a tenth. Measured immediately, because under load
    // much of it would be garbage again a second later.
    threshold = Math.max(memoryThreshold, 1.1 * process.memoryUsage.rss());
  }, checkIntervalMs).unref();
}

/**
 * Collects the garbage of the start once, as soon as the service is idle. V8 would keep that memory allocated. Only for processes
 * of subgraphs: a larger heap is collected less often under load, which saves a third of the CPU time of requests to the whole
 * service.
 */
export function collectStartGarbage(before = performance.eventLoopUtilization()): void {
  setTimeout(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization > maxIdleUtilization) return collectStartGarbage(now);
    collectAll();
  }, calmMs).unref();
}
