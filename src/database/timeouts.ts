import type pg from 'pg';
import { tickMs } from '../kernel/clock.js';

/** Timeouts for statements of requests, in seconds. */
export interface Timeouts {
  readonly statement: number;
  /** Maximum time to wait for a lock. */
  readonly lock: number;
  /** Maximum time that a transaction is open without a statement. */
  readonly idle: number;
}

/** Session settings that enforce the timeouts on the server. Poolers in transaction mode set them on their connections. */
export const timeoutSettings = ({ statement, lock, idle }: Timeouts): string =>
  `set statement_timeout = '${statement}s'; set lock_timeout = '${lock}s'; set idle_in_transaction_session_timeout = '${idle}s'`;

/** Time after the server's own timeout at which the connection is closed, in milliseconds. */
const graceMs = 1_000;

/** Internals of a pg client: its running query and its stream. */
interface PgClientInternals {
  readonly _activeQuery: object | null;
  readonly connection: pg.Connection;
}

interface WatchState {
  /** Weak, so that it does not keep query results in memory. */
  query: WeakRef<object> | null;
  /** Time of the first check that found this query, in milliseconds. */
  firstSeenAt: number;
}

/**
 * Closes connections whose statement continues after the server's timeout, because the server hangs or the network is
 * interrupted. Checks all connections periodically, so that statements have no overhead.
 */
export class StuckQueryGuard {
  readonly #states = new Map<pg.Client, WatchState>();
  readonly #timer: NodeJS.Timeout;

  constructor({ statement }: Timeouts) {
    this.#timer = setInterval(() => this.#checkQueries(statement * 1000 + graceMs), tickMs).unref();
  }

  watch(client: pg.Client): void {
    this.#states.set(client, { query: null, firstSeenAt: 0 });
    client.once('end', () => this.#states.delete(client));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #checkQueries(maxDurationMs: number): void {
    const now = performance.now();
    for (const [client, state] of this.#states) {
      const { _activeQuery: query, connection } = client as unknown as PgClientInternals;
      if (!query) state.query = null;
      else if (state.query?.deref() !== query) Object.assign(state, { query: new WeakRef(query), firstSeenAt: now });
      else if (now - state.firstSeenAt > maxDurationMs)
        connection.stream.destroy(Object.assign(new Error('the database does not respond'), { code: 'ETIMEDOUT' }));
    }
  }
}
