import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { ServeResult } from '../lifecycle/serve.js';
import {
  defaultRestartPolicy,
  type RestartPolicy,
  stopChild,
  superviseChild,
  type TrackedChild,
  trackChild,
} from '../lifecycle/supervise.js';
import { nextMessage, type PrimaryMessage, type WorkerTask } from './messages.js';

/**
 * Timeout for stopping a worker, in addition to the drain delay, in milliseconds. It is longer than the worker's own timeout for closing.
 */
const stopTimeoutMs = 27_000;

interface WorkerOptions {
  count: number;
  databaseUrl: string;
  consistencyTokenSecret: string;
  /** Drain delay in seconds. */
  drainDelay: number;
  log: Pick<Logger, 'warn' | 'info'>;
  policy?: RestartPolicy;
}

/** Starts the workers, and restarts those that exit or hang. */
export class Workers {
  readonly #stopping = new AbortController();
  readonly #workers = new Map<number, TrackedChild>();
  /** Result of starting worker 1. Once the result is set, the database is ready. */
  #firstResult: ServeResult | null = null;

  constructor(readonly options: WorkerOptions) {}

  /**
   * Starts all workers. Worker 1 prepares the database and runs the background jobs, so a job that crashes its process affects only
   * one worker. Rejects if worker 1 exits before it is ready. Other workers are restarted.
   */
  async start(): Promise<ServeResult> {
    const numbers = Array.from({ length: this.options.count }, (_, index) => index + 1);
    const workers = numbers.map((number) => this.#startWorker(number));
    const [first, ...others] = workers;
    if (!first) throw new Error('no worker process is running');
    // The other workers load their code while the first worker prepares the database.
    const readyPromises = others.map(({ child, exitReason }) => Promise.race([nextMessage(child, 'waiting'), exitReason]));
    const result = await this.#waitUntilReady(first, 1);
    this.#firstResult = result;
    for (const [index, worker] of workers.entries()) {
      const up = index
        ? (readyPromises[index - 1] ?? Promise.resolve()).then(() => this.#waitUntilReady(worker, index + 1, true))
        : undefined;
      void this.#supervise(index + 1, worker, up);
    }
    await Promise.all(
      workers.map((worker, index) => (index ? Promise.race([nextMessage(worker.child, 'ready'), worker.exitReason]) : undefined)),
    );
    return result;
  }

  /** Stops all workers with a signal, and waits until they have exited. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#stopping.abort();
    const timeoutMs = stopTimeoutMs + this.options.drainDelay * 1000;
    await Promise.all([...this.#workers.values()].map((worker) => stopChild(worker, signal, timeoutMs)));
  }

  #startWorker(number: number): TrackedChild {
    const { process: child } = cluster.fork();
    closePendingConnection(child);
    const worker = trackChild(child);
    this.#workers.set(number, worker);
    return worker;
  }

  /** Sends a worker its task once the worker is waiting for it. Resolves when the worker accepts requests. */
  async #waitUntilReady({ child, exitReason }: TrackedChild, number: number, isWaiting = false): Promise<ServeResult> {
    const exited = exitReason.then((reason) => Promise.reject(new Error(reason)));
    if (!isWaiting) await Promise.race([nextMessage(child, 'waiting'), exited]);
    const ready = nextMessage(child, 'ready');
    const { databaseUrl, consistencyTokenSecret, count } = this.options;
    const task: WorkerTask = {
      kind: 'task',
      worker: number,
      workerCount: count,
      databaseUrl,
      consistencyTokenSecret,
      preparesDatabase: this.#firstResult === null,
      demoTokens: this.#firstResult?.demoTokens ?? null,
      runsJobs: number === 1,
    };
    child.send(task, () => undefined);
    return Promise.race([ready, exited]);
  }

  async #supervise(number: number, first: TrackedChild, up?: Promise<unknown>): Promise<void> {
    const { log, policy = defaultRestartPolicy } = this.options;
    await up?.catch(() => undefined);
    await superviseChild(first, {
      start: () => this.#startWorker(number),
      isUp: async (worker) => {
        await this.#waitUntilReady(worker, number);
        log.info({ worker: number, pid: worker.child.pid }, 'a worker is running again');
      },
      isHealthy: ({ child }, signal) => {
        const healthCheck: PrimaryMessage = { kind: 'healthCheck' };
        child.send(healthCheck, () => undefined);
        return nextMessage(child, 'healthy', signal).then(
          () => true,
          () => false,
        );
      },
      onExit: (reason, delay) => log.warn({ worker: number, seconds: delay / 1000 }, `a worker ${reason} and will restart`),
      policy,
      stopping: this.#stopping.signal,
    });
  }
}

interface Handle {
  close(): void;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

/**
 * If a worker exits, closes the connection that the primary is passing to it. The primary passes one connection at a time to a worker. If
 * the worker exits before it receives the connection, the client would wait forever.
 */
function closePendingConnection(child: ChildProcess): void {
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
