import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pools } from '../../kernel/pools.js';
import { LogPositionReader } from './log-position-sql.js';

/** Interval of the checks in milliseconds. */
const checkIntervalMs = 250;

/** Period in milliseconds for which positions of the primary are stored to measure the lag of replicas. Metrics do not show a longer lag. */
const maxMeasuredLag = 600_000;

/** Write-ahead log position of the primary at a point in time. `time` is in milliseconds. */
interface PrimaryPosition {
  readonly time: number;
  readonly position: number;
}

/**
 * Excludes replicas from reads if they lag too far behind the primary or do not respond. Other replicas or the primary are used instead. A
 * replica lags too far behind if it has not applied the first position that the primary reported within the last `allowedLag` milliseconds.
 * While the primary does not respond, the set of excluded replicas does not change.
 */
export class ReplicaLag {
  readonly #primary: LogPositionReader;
  readonly #replicas: readonly LogPositionReader[];
  /** Positions of the primary, oldest first. */
  readonly #primaryPositions: PrimaryPosition[] = [];
  /**
   * Replicas that did not respond to the last check. They are excluded after two failures, because a delay in this process may have caused
   * the first one.
   */
  #unresponsive: ReadonlySet<LogPositionReader> = new Set();
  #excluded: ReadonlySet<LogPositionReader> = new Set();
  readonly #stopping = new AbortController();
  #watchTask: Promise<void> = Promise.resolve();

  constructor(
    readonly pools: Pools,
    /** Maximum lag in milliseconds. */
    readonly allowedLag: number,
    readonly log: Logger,
  ) {
    this.#primary = new LogPositionReader(pools, pools.connection('write'), true);
    this.#replicas = pools.replicas.map((connection) => new LogPositionReader(pools, connection, false));
  }

  /** Checks the replicas once, and then every 250 ms. Does nothing if there are no replicas. */
  async start(): Promise<void> {
    if (!this.pools.hasReplicas) return;
    await this.#check();
    this.#watchTask = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watchTask;
    for (const server of [this.#primary, ...this.#replicas]) server.close();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(checkIntervalMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (!signal.aborted) await this.#check();
    }
  }

  async #check(): Promise<void> {
    const time = performance.now();
    const position = await this.#primary.readPosition().catch(() => null);
    if (position === null && this.#primaryPositions.length > 0) return;
    const requests = this.#replicas.map(async (replica) => [replica, await replica.readPosition().catch(() => null)] as const);
    const positions = new Map(await Promise.all(requests));
    if (position !== null) this.#addPrimaryPosition({ time, position });
    this.pools.appliedPositions = new Map(
      [...positions].flatMap(([{ connection }, position]) => (position === null ? [] : [[connection, position]])),
    );
    this.pools.replicaLags = new Map(
      [...positions].map(([{ connection }, position]) => [connection, position === null ? null : this.#lagAt(position, time)]),
    );
    const isReadable = (replica: LogPositionReader) => this.#isReadable(replica, positions.get(replica) ?? null);
    this.#exclude(new Set(this.#replicas.filter((replica) => !isReadable(replica))));
    this.#unresponsive = new Set(this.#replicas.filter((replica) => positions.get(replica) === null));
  }

  #addPrimaryPosition(entry: PrimaryPosition): void {
    this.#primaryPositions.push(entry);
    while (this.#primaryPositions[0] && this.#primaryPositions[0].time < entry.time - Math.max(this.allowedLag, maxMeasuredLag))
      this.#primaryPositions.shift();
  }

  /** Returns the time since the primary passed a position, in milliseconds. */
  #lagAt(replicaPosition: number, now: number): number {
    const passed = this.#primaryPositions.find(({ position }) => position > replicaPosition);
    return passed ? now - passed.time : 0;
  }

  /** Whether a replica is used for reads. `position` is the log position that it has applied, or null if it did not respond. */
  #isReadable(replica: LogPositionReader, position: number | null): boolean {
    if (position === null) return !this.#unresponsive.has(replica) && !this.#excluded.has(replica);
    const latest = this.#primaryPositions.at(-1);
    const oldest = latest && this.#primaryPositions.find(({ time }) => time >= latest.time - this.allowedLag);
    return !oldest || position >= oldest.position;
  }

  #exclude(laggingReplicas: ReadonlySet<LogPositionReader>): void {
    if (laggingReplicas.symmetricDifference(this.#excluded).size === 0) return;
    const logFields = { replicas: this.#replicas.length, excluded: laggingReplicas.size };
    if (laggingReplicas.size > 0) this.log.warn(logFields, 'replicas that lag or do not respond are not used');
    else this.log.info(logFields, 'all replicas are used again');
    this.#excluded = laggingReplicas;
    this.pools.excludeReplicas((connection) => [...laggingReplicas].some((replica) => replica.connection === connection));
  }
}
