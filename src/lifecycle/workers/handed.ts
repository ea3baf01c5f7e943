import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

/**
 * Hangs up the connection that was on its way to a worker when that died. The primary takes connections and hands them over, one at a time to
 * each worker, and forgets those that a worker has not taken over: their clients would wait for ever.
 */
export function hangUpWith(child: ChildProcess): void {
  const send = child.send.bind(child);
  let handed: unknown;
  const noting = (...message: Parameters<typeof send>): boolean => {
    if (isHandle(message[1])) handed = message[1];
    return send(...message);
  };
  child.send = noting as typeof child.send;
  // One that was taken over has been closed here, and is not closed again.
  child.once('exit', () => isHandle(handed) && handed.close());
}
