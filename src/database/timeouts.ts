import type pg from 'pg';
import { clockTickMs } from '../kernel/clock.js';

/** Timeouts for statements of requests, in seconds. */
export interface Timeouts {
  readonly statement: number;
  /** Maximum time to wait for a lock. */
  readonly lock: number;
  /** Maximum time between two statements of an open transaction. */
  readonly idle: number;
}

/** Returns session settings that enforce the timeouts on the server. A pooler in transaction mode must set them on its own connections. */
export const timeoutSettings = ({ statement, lock, idle }: Timeouts): string =>
  `set statement_timeout = '${statement}s'; set lock_timeout = '${lock}s'; set idle_in_transaction_session_timeout = '${idle}s'`;

/** Time that a statement may run beyond the timeout of the server before its connection is closed, in milliseconds. */
const graceMs = 1_000;

/** Internals of a pg client: its running query and its stream. */
interface PgClientInternals {
  readonly _activeQuery: object | null;
  readonly connection: pg.Connection;
}

interface WatchState {
  /** Weak reference, so that query results can be garbage-collected. */
  query: WeakRef<object> | null;
  /** Time of the first check that found this query, in milliseconds. */
  firstSeenAt: number;
}

/**
 * Closes a connection if its statement continues after the timeout of the server, because the server hangs or the network is interrupted. Checks all
 * connections periodically, which adds no work to a statement.
 */
export class StuckQueryGuard {
  readonly #states = new Map<pg.Client, WatchState>();
  readonly #timer: NodeJS.Timeout;

  constructor({ statement }: Timeouts) {
    this.#timer = setInterval(() => this.#checkQueries(statement * 1000 + graceMs), clockTickMs).unref();
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
