import type { ChildProcess } from 'node:child_process';
import type { Served, Serving } from '../serve.js';

/**
 * What a worker is told, once it has loaded what it runs and the database is ready: its part. All ask for the configured port, also when that
 * is 0: Node gives the same one to those who ask alike.
 */
export interface WorkerPart extends Required<Serving> {
  readonly kind: 'part';
  readonly of: number;
}

/** What a worker tells: that it waits for its part, that it takes requests, and that it still answers. */
export type FromWorker = { readonly kind: 'waits' } | ({ readonly kind: 'up' } & Served) | { readonly kind: 'answer' };

export type ToWorker = WorkerPart | { readonly kind: 'question' };

/** The first message of a kind that a worker sends from now on; rejects when the signal aborts. */
export const told = <K extends FromWorker['kind']>(
  child: ChildProcess,
  kind: K,
  signal?: AbortSignal,
): Promise<Extract<FromWorker, { kind: K }>> =>
  new Promise((resolve, reject) => {
    const listen = (message: FromWorker) => {
      if (message.kind !== kind) return;
      child.off('message', listen);
      resolve(message as Extract<FromWorker, { kind: K }>);
    };
    child.on('message', listen);
    signal?.addEventListener('abort', () => {
      child.off('message', listen);
      reject(signal.reason);
    });
  });
