import type { EventEmitter } from 'node:events';
import type { Transport } from './counts.js';

/** So many bytes may wait for a client to take them before its next event is written. */
export const mostWaiting = 64 * 2 ** 10;

/** The connection by which a subscriber is told of events; a socket may be that of several subscriptions. */
export interface Outlet {
  readonly transport: Transport;
  /** Bytes that the client has not taken yet. */
  readonly waiting: number;
  /** Sends what says nothing, so that nobody on the way hangs up. */
  ping(): void;
  /** Hangs up, whatever waits. */
  cut(): void;
}

/** Waits until what has been written has left, or the client; the same wait for all who ask. */
export function drained(stream: EventEmitter): () => Promise<void> {
  let waiting: Promise<void> | null = null;
  return () => {
    waiting ??= new Promise<void>((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        waiting = null;
        resolve();
      };
      stream.once('drain', done).once('close', done);
    });
    return waiting;
  };
}
