import type { ChildProcess } from 'node:child_process';
import type { ServeOptions, ServeResult } from '../lifecycle/serve.js';

/**
 * Message from the primary process that tells a worker to start serving. The primary process sends it when the worker has loaded its code
 * and the database is ready. All workers listen on the configured port. If the port is 0, Node assigns the same free port to all workers.
 */
export interface WorkerTask extends Required<ServeOptions> {
  readonly kind: 'task';
  readonly workerCount: number;
}

/** Messages from a worker to the primary: the worker waits for its task, accepts requests, or responds to a health check. */
export type WorkerMessage =
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'ready' } & ServeResult)
  | { readonly kind: 'healthy' };

/** Messages from the primary to a worker: its task, or a health check. */
export type PrimaryMessage = WorkerTask | { readonly kind: 'healthCheck' };

/** Resolves with the next message of a kind from a worker. Rejects when the signal aborts. */
export const nextMessage = <K extends WorkerMessage['kind']>(
  child: ChildProcess,
  kind: K,
  signal?: AbortSignal,
): Promise<Extract<WorkerMessage, { kind: K }>> =>
  new Promise((resolve, reject) => {
    const listen = (message: WorkerMessage) => {
      if (message.kind !== kind) return;
      child.off('message', listen);
      resolve(message as Extract<WorkerMessage, { kind: K }>);
    };
    child.on('message', listen);
    signal?.addEventListener('abort', () => {
      child.off('message', listen);
      reject(signal.reason);
    });
  });
