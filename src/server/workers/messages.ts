import type { ChildProcess } from 'node:child_process';
import type { ServeOptions, ServeResult } from '../lifecycle/serve.js';

/**
 * Task of a worker. It is sent when the worker has loaded its code and the database is ready. All workers listen on the configured
 * port. If it is 0, Node assigns the same free port to all workers.
 */
export interface WorkerTask extends Required<ServeOptions> {
  readonly kind: 'task';
  readonly workerCount: number;
}

/** Messages of a worker: it waits for its task, it accepts requests, or it responds to a health check. */
export type FromWorker = { readonly kind: 'waiting' } | ({ readonly kind: 'ready' } & ServeResult) | { readonly kind: 'healthy' };

/** Messages to a worker: its task, or a health check. */
export type ToWorker = WorkerTask | { readonly kind: 'healthCheck' };

/** Next message of a kind from a worker. Rejects when the signal aborts. */
export const nextMessage = <K extends FromWorker['kind']>(
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
