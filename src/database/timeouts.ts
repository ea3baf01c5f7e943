import type pg from 'pg';
import { tick } from '../kernel/clock.js';

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
  running: WeakRef<object> | null;
  /** Time of the first check that found this query, in milliseconds. */
  since: number;
}

/**
 * Closes connections whose statement continues after the server's timeout, because the server hangs or the network is
 * interrupted. Checks all connections periodically, so that statements have no overhead.
 */
export class StuckQueryGuard {
  readonly #states = new Map<pg.Client, WatchState>();
  readonly #timer: NodeJS.Timeout;

  constructor({ statement }: Timeouts) {
    this.#timer = setInterval(() => this.#checkQueries(statement * 1000 + graceMs), tick).unref();
  }

  watch(client: pg.Client): void {
    this.#states.set(client, { running: null, since: 0 });
    client.once('end', () => this.#states.delete(client));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #checkQueries(maxDurationMs: number): void {
    const now = performance.now();
    for (const [client, state] of this.#states) {
      const { _activeQuery: running, connection } = client as unknown as PgClientInternals;
      if (!running) state.running = null;
      else if (state.running?.deref() !== running) Object.assign(state, { running: new WeakRef(running), since: now });
      else if (now - state.since > maxDurationMs)
        connection.stream.destroy(Object.assign(new Error('the database does not respond'), { code: 'ETIMEDOUT' }));
    }
  }
}
