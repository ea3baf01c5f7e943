import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { defaultRestartPolicy, type RestartPolicy } from '../lifecycle/restart-policy.js';
import type { ServeResult } from '../lifecycle/serve.js';
import { type ChildLife, stopChild, superviseChild, trackChild } from '../lifecycle/supervise.js';
import { nextMessage, type ToWorker, type WorkerTask } from './messages.js';
import { closePendingConnection } from './pending-connection.js';

/**
 * Timeout for stopping a worker in milliseconds, in addition to the drain delay. Slightly longer than the worker's own timeout.
 */
const stopTimeoutMs = 27_000;

interface WorkerOptions {
  count: number;
  databaseUrl: string;
  writeKey: string;
  /** Drain delay in seconds. */
  drainDelay: number;
  log: Pick<Logger, 'warn' | 'info'>;
  policy?: RestartPolicy;
}

/** Starts the workers, and restarts those that exit or hang. */
export class Workers {
  readonly #stopping = new AbortController();
  readonly #workers = new Map<number, ChildLife>();
  /** Result of the first worker. The database is ready from then on. */
  #firstResult: ServeResult | null = null;

  constructor(readonly options: WorkerOptions) {}

  /**
   * Starts all workers. The first one prepares the database. Worker 1 also runs the background jobs, and so do its replacements,
   * so a job that crashes its process affects one worker. Rejects if the first worker exits before it is ready. The others are
   * restarted.
   */
  async start(): Promise<ServeResult> {
    const numbers = Array.from({ length: this.options.count }, (_, index) => index + 1);
    const workers = numbers.map((number) => this.#startWorker(number));
    const [first, ...others] = workers;
    if (!first) throw new Error('there is no worker');
    // The other workers load their code while the first one prepares the database.
    const readyPromises = others.map(({ child, exitReason }) => Promise.race([nextMessage(child, 'waits'), exitReason]));
    this.#firstResult = await this.#waitUntilUp(first, 1);
    const served = this.#firstResult;
    for (const [index, worker] of workers.entries()) {
      const up = index
        ? (readyPromises[index - 1] ?? Promise.resolve()).then(() => this.#waitUntilUp(worker, index + 1, true))
        : undefined;
      void this.#supervise(index + 1, worker, up);
    }
    await Promise.all(
      workers.map((worker, index) => (index ? Promise.race([nextMessage(worker.child, 'up'), worker.exitReason]) : undefined)),
    );
    return served;
  }

  /** Stops all workers with a signal, and waits until they have exited. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#stopping.abort();
    const timeoutMs = stopTimeoutMs + this.options.drainDelay * 1000;
    await Promise.all([...this.#workers.values()].map((worker) => stopChild(worker, signal, timeoutMs)));
  }

  #startWorker(number: number): ChildLife {
    const { process: child } = cluster.fork();
    closePendingConnection(child);
    const worker = trackChild(child);
    this.#workers.set(number, worker);
    return worker;
  }

  /** Sends a worker its task when it is ready for it. Resolves when the worker accepts requests. */
  async #waitUntilUp({ child, exitReason }: ChildLife, number: number, isWaiting = false): Promise<ServeResult> {
    const exited = exitReason.then((reason) => Promise.reject(new Error(reason)));
    if (!isWaiting) await Promise.race([nextMessage(child, 'waits'), exited]);
    const up = nextMessage(child, 'up');
    const { databaseUrl, writeKey, count } = this.options;
    const part: WorkerTask = {
      kind: 'part',
      worker: number,
      workerCount: count,
      databaseUrl,
      writeKey,
      preparesDatabase: this.#firstResult === null,
      demoTokens: this.#firstResult?.demoTokens ?? null,
      jobs: number === 1,
    };
    child.send(part, () => undefined);
    return Promise.race([up, exited]);
  }

  async #supervise(number: number, first: ChildLife, up?: Promise<unknown>): Promise<void> {
    const { log, policy = defaultRestartPolicy } = this.options;
    await up?.catch(() => undefined);
    await superviseChild(first, {
      start: () => this.#startWorker(number),
      isUp: async (worker) => {
        await this.#waitUntilUp(worker, number);
        log.info({ worker: number, pid: worker.child.pid }, 'a worker is running again');
      },
      isHealthy: ({ child }, signal) => {
        const question: ToWorker = { kind: 'question' };
        child.send(question, () => undefined);
        return nextMessage(child, 'answer', signal).then(
          () => true,
          () => false,
        );
      },
      onExit: (reason, delay) => log.warn({ worker: number, seconds: delay / 1000 }, `a worker ${reason} and is restarted`),
      policy,
      stopping: this.#stopping.signal,
    });
  }
}
