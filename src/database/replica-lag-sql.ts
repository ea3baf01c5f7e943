import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Pools } from '../kernel/pools.js';

/** How far a replica is; one that follows nobody has everything. */
const furthest = "select coalesce(pg_last_wal_replay_lsn(), 'FFFFFFFF/FFFFFFFF') - $1::pg_lsn as place";

/** How often one looks how far the replicas are, in milliseconds. */
const every = 250;

/** A moment, in milliseconds, and how far the primary had written its log then. */
interface Mark {
  readonly at: number;
  readonly place: number;
}

/**
 * Keeps reads from replicas that are further behind the primary than allowed, or that are away: the others are read, or the primary. What a
 * replica has not applied is as old as the look at the primary in which it was first there. While the primary does not answer, nothing
 * is written, and who was readable stays so.
 */
export class ReplicaLag {
  /** Where the primary was at each look, the oldest first; how far back follows from the lag that is allowed. */
  #marks: Mark[] = [];
  #leftOut: ReadonlySet<Connection> = new Set();
  #isOver = false;

  constructor(
    readonly pools: Pools,
    /** In milliseconds. */
    readonly allowed: number,
    readonly log: Logger,
  ) {}

  /** Looks until it is stopped. */
  async watch(): Promise<void> {
    while (!this.#isOver) {
      await this.#look().catch(() => undefined);
      await sleep(every, undefined, { ref: false });
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  async #look(): Promise<void> {
    const at = performance.now();
    const place = await this.#number(this.pools.connection('write'), 'select pg_current_wal_insert_lsn() - $1::pg_lsn as place');
    // The last one before the time that is allowed tells whether all since then is there.
    const since = this.#marks.findLastIndex((mark) => mark.at < at - this.allowed);
    this.#marks = [...this.#marks.slice(Math.max(since, 0)), { at, place }];
    const leftOut = new Set<Connection>();
    for (const replica of this.pools.replicas) if (await this.#isBehind(replica, at)) leftOut.add(replica);
    this.#tell(leftOut);
  }

  async #isBehind(replica: Connection, at: number): Promise<boolean> {
    const applied = await this.#number(replica, furthest).catch(() => -1);
    const missing = this.#marks.find(({ place }) => place > applied);
    return missing !== undefined && (applied < 0 || at - missing.at > this.allowed);
  }

  async #number(connection: Connection, statement: string): Promise<number> {
    const pool = await this.pools.pool(connection);
    const { rows } = await pool.query({ text: statement, values: ['0/0'], rowMode: 'array' });
    return Number(rows[0]?.[0]);
  }

  #tell(leftOut: ReadonlySet<Connection>): void {
    const [before, now] = [this.#leftOut.size, leftOut.size];
    if (now !== before)
      this.log.warn({ replicas: this.pools.replicas.length, left: now }, 'replicas are behind or away, and not read');
    this.#leftOut = leftOut;
    this.pools.leaveOut((replica) => leftOut.has(replica));
  }
}
