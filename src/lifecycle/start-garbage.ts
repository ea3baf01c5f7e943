import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When a service that is up has answered its first requests. */
const calm = 2_000;

/**
 * From now on V8 collects garbage before its old space is 1.4 times what was left the last time: by itself it waits until it has doubled and
 * more, which a hundred requests that ask for much turn into hundreds of megabytes.
 */
export const growSlowly = (): void => setFlagsFromString('--heap-growing-percent=40');

/**
 * Gives back what the start has left behind, once: V8 keeps the room that it took for it, up to a hundred megabytes, and a service that
 * nobody asks anything would hold it for ever.
 */
export function clearStartGarbage(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect: NodeJS.GCFunction = runInNewContext('gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, calm).unref();
}
