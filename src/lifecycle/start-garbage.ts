import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When a service that is up has answered its first requests. */
const calm = 2_000;

/** The part of its time that a service has work in which nobody asks it anything. */
const idle = 0.05;

/**
 * How V8 makes room from now on. Old space: garbage is collected before it is 1.4 times what was left the last time; by itself V8 waits until
 * it has doubled and more, which a hundred requests that ask for much turn into hundreds of megabytes. Young space grows by large steps
 * where much of it survives: by small ones it would be collected so often under load that a request takes a third more processor time.
 */
export function makeRoom(): void {
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--semi-space-growth-factor=16');
}

/**
 * Gives back what the start has left behind, once and as soon as the service has nothing to do: V8 keeps the room that it took for it, up to a
 * hundred megabytes, and a service that nobody asks anything would hold it for ever.
 */
export function clearStartGarbage(before = performance.eventLoopUtilization()): void {
  setTimeout(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization > idle) return clearStartGarbage(now);
    setFlagsFromString('--expose-gc');
    const collect: NodeJS.GCFunction = runInNewContext('gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, calm).unref();
}
