import type { Logger } from 'pino';
import type { Config } from '../../config/index.js';
import { pendingRequestCount } from '../../graphql/limits/deadline.js';
import { release } from '../../process/release.js';
import type { App } from '../app.js';
import { readServerVersion } from './server-version-sql.js';

/** Logs the start and the shutdown of a process. In development, these lines have the level `debug`, because the banner has the same content. */
export class LifecycleLog {
  readonly #write: (fields: object, message: string) => void;
  #stoppingSince: number | null = null;

  constructor(log: Logger, { isProduction }: Pick<Config, 'isProduction'>) {
    this.#write = isProduction ? log.info.bind(log) : log.debug.bind(log);
  }

  /** Logs the start, once the version of the database server is known. */
  async logStart(app: App, { host, graph }: Config, port: number): Promise<void> {
    const database = await readServerVersion(app.resources.pools).catch(() => 'unknown');
    const fields = { version: release, node: process.versions.node, schema: app.schemaHash(), database, host, port };
    this.#write({ ...fields, graph, subgraphs: app.subgraphNames }, 'started');
  }

  /** Logs the start and end of the period in which the process still accepts requests after SIGTERM. */
  async logDrain(seconds: number, drain: () => Promise<void>): Promise<void> {
    const startTime = performance.now();
    this.#write({ seconds, unfinishedRequests: pendingRequestCount() }, 'drain started');
    await drain();
    this.#write({ duration: millisecondsSince(startTime), unfinishedRequests: pendingRequestCount() }, 'drain finished');
  }

  logStopping(): void {
    this.#stoppingSince = performance.now();
    this.#write({ unfinishedRequests: pendingRequestCount() }, 'shutdown started');
  }

  /** Logs the end of the shutdown. Does nothing if `logStopping` was not called. */
  logStopped(): void {
    if (this.#stoppingSince !== null) this.#write({ duration: millisecondsSince(this.#stoppingSince) }, 'shutdown finished');
  }
}

const millisecondsSince = (time: number): number => Math.round(performance.now() - time);
