import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When a service that is up has answered its first requests. */
const calm = 2_000;

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
