import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

/**
 * Closes the connection that was in transit to a worker when the worker died. The primary accepts connections, passes them to the workers one at a
 * time, and loses those that a worker has not received. Without this, their clients would wait forever.
 */
export function closePendingConnection(child: ChildProcess): void {
  const send = child.send.bind(child);
  let pendingHandle: unknown;
  const sendAndTrack = (...message: Parameters<typeof send>): boolean => {
    if (isHandle(message[1])) pendingHandle = message[1];
    return send(...message);
  };
  child.send = sendAndTrack as typeof child.send;
  // A connection that the worker received has been closed here, and is not closed again.
  child.once('exit', () => isHandle(pendingHandle) && pendingHandle.close());
}
