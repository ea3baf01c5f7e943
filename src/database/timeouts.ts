import type pg from 'pg';
import { tick } from '../kernel/clock.js';

/** How long the statements of requests may take, in seconds. */
export interface Timeouts {
  readonly statement: number;
  /** Waiting for what another transaction has locked. */
  readonly lock: number;
  /** A transaction that waits for its client. */
  readonly idle: number;
}

/** The settings of a session that has the server keep them; poolers in transaction mode make them on the connections that they open. */
export const settingsOf = ({ statement, lock, idle }: Timeouts): string =>
  `set statement_timeout = '${statement}s'; set lock_timeout = '${lock}s'; set idle_in_transaction_session_timeout = '${idle}s'`;

/** How much later than the server itself a connection gives up a statement, in milliseconds. */
const grace = 1_000;

/** A connection of pg, with what its type leaves out: what it runs, and its stream. */
interface Inside {
  readonly _activeQuery: object | null;
  readonly connection: pg.Connection;
}

interface Watched {
  /** Not to keep alive what it has brought. */
  running: WeakRef<object> | null;
  /** When that was first seen, in milliseconds. */
  since: number;
}

/**
 * Hangs up connections whose statement has no end although the server must have ended it: it stands still, or the way to it is cut. Looks at all
 * of them from time to time, so that a statement costs nothing.
 */
export class HangingUp {
  readonly #watched = new Map<pg.Client, Watched>();
  readonly #timer: NodeJS.Timeout;

  constructor({ statement }: Timeouts) {
    this.#timer = setInterval(() => this.#look(statement * 1000 + grace), tick).unref();
  }

  watch(client: pg.Client): void {
    this.#watched.set(client, { running: null, since: 0 });
    client.once('end', () => this.#watched.delete(client));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(longest: number): void {
    const now = performance.now();
    for (const [client, watched] of this.#watched) {
      const { _activeQuery: running, connection } = client as unknown as Inside;
      if (!running) watched.running = null;
      else if (watched.running?.deref() !== running) Object.assign(watched, { running: new WeakRef(running), since: now });
      else if (now - watched.since > longest)
        connection.stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
    }
  }
}
