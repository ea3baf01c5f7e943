import type { EventEmitter } from 'node:events';
import type { Transport } from './counts.js';

/** Maximum number of unread bytes. Writes beyond it wait for the client. */
export const maxBufferedBytes = 64 * 2 ** 10;

/** Connection that delivers the events of a subscription. A WebSocket can serve several subscriptions. */
export interface LiveConnection {
  readonly transport: Transport;
  /** Bytes that the client has not read yet. */
  readonly bufferedBytes: number;
  /** Sends a keep-alive message, so that proxies do not close the connection. */
  ping(): void;
  /** Closes the connection immediately. Buffered data is lost. */
  terminate(): void;
}

/** Returns a function that waits until the buffer is empty or the connection is closed. Concurrent calls share one promise. */
export function drainWaiter(stream: EventEmitter): () => Promise<void> {
  let pendingDrain: Promise<void> | null = null;
  return () => {
    pendingDrain ??= new Promise<void>((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        pendingDrain = null;
        resolve();
      };
      stream.once('drain', done).once('close', done);
    });
    return pendingDrain;
  };
}
