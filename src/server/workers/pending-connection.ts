import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

/**
 * Closes the connection that is in transit to a worker when the worker dies. The primary passes one connection at a time to a worker.
 * If the worker dies before it receives the connection, the client would wait forever.
 */
export function closePendingConnection(child: ChildProcess): void {
  const send = child.send.bind(child);
  let pendingHandle: unknown;
  const sendAndTrack = (...message: Parameters<typeof send>): boolean => {
    if (isHandle(message[1])) pendingHandle = message[1];
    return send(...message);
  };
  child.send = sendAndTrack as typeof child.send;
  // If the worker received the connection, the primary has already closed its own handle, and closing it again has no effect.
  child.once('exit', () => isHandle(pendingHandle) && pendingHandle.close());
}
