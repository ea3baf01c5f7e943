import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pools } from '../kernel/pools.js';
import { LogPlace } from './log-place-sql.js';

/** How often one looks how far the replicas are, in milliseconds. */
const every = 250;

/** A moment, in milliseconds, and how far the primary had written its log then. */
interface Mark {
  readonly at: number;
  readonly place: number;
}

/**
 * Keeps reads from replicas that are further behind the primary than allowed, or that are away: the others are read, or the primary.
 *
 * A replica is as old as the last look at the primary of which it has everything; one that has not even what was written before the first look may be of
 * any age. While the primary does not answer, who was read is read further.
 */
export class ReplicaLag {
  readonly #primary: LogPlace;
  readonly #replicas: readonly LogPlace[];
  /** Where the primary was at each look, the oldest first, as far back as is allowed. */
  readonly #marks: Mark[] = [];
  /** Those that did not answer at the last look: once that may be this process's own doing, twice they are away. */
  #silent: ReadonlySet<LogPlace> = new Set();
  #leftOut: ReadonlySet<LogPlace> = new Set();
  readonly #end = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(
    readonly pools: Pools,
    /** In milliseconds. */
    readonly allowed: number,
    readonly log: Logger,
  ) {
    this.#primary = new LogPlace(pools, pools.connection('write'), true);
    this.#replicas = pools.replicas.map((connection) => new LogPlace(pools, connection, false));
  }

  /** Looks once, and then again and again until it is stopped; without replicas there is nothing to look at. */
  async start(): Promise<void> {
    if (!this.pools.hasReplicas) return;
    await this.#look();
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#watching;
    for (const server of [this.#primary, ...this.#replicas]) server.close();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await sleep(every, undefined, { ref: false, signal }).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const at = performance.now();
    const place = await this.#primary.ask().catch(() => null);
    if (place === null && this.#marks.length > 0) return;
    const asked = this.#replicas.map(async (replica) => [replica, await replica.ask().catch(() => null)] as const);
    const answers = new Map(await Promise.all(asked));
    if (place !== null) this.#mark({ at, place });
    this.pools.applied = new Map(
      [...answers].flatMap(([{ connection }, applied]) => (applied === null ? [] : [[connection, applied]])),
    );
    const isRead = (replica: LogPlace) => this.#isRead(replica, answers.get(replica) ?? null);
    this.#tell(new Set(this.#replicas.filter((replica) => !isRead(replica))));
    this.#silent = new Set(this.#replicas.filter((replica) => answers.get(replica) === null));
  }

  #mark(mark: Mark): void {
    this.#marks.push(mark);
    while (this.#marks[0] && this.#marks[0].at < mark.at - this.allowed) this.#marks.shift();
  }

  /** Whether a replica is to be read that has applied the log so far, or that has not answered. */
  #isRead(replica: LogPlace, applied: number | null): boolean {
    if (applied === null) return !this.#silent.has(replica) && !this.#leftOut.has(replica);
    const [oldest] = this.#marks;
    return !oldest || applied >= oldest.place;
  }

  #tell(leftOut: ReadonlySet<LogPlace>): void {
    if (leftOut.symmetricDifference(this.#leftOut).size === 0) return;
    const about = { replicas: this.#replicas.length, leftOut: leftOut.size };
    if (leftOut.size > 0) this.log.warn(about, 'replicas are behind or away, and not read');
    else this.log.info(about, 'all replicas are read again');
    this.#leftOut = leftOut;
    this.pools.leaveOut((connection) => [...leftOut].some((each) => each.connection === connection));
  }
}
