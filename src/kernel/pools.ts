import type { Socket } from 'node:net';
import type { PostgreSqlConnection as Connection, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Row } from './declare/row.js';

/** pg options for a connection outside the pools. `stream` creates its socket. */
export interface DirectConnection {
  readonly connectionString: string;
  readonly stream: (() => Socket) | undefined;
}

/** ORM that can discover its entities after connecting. */
type Orm = MikroORM & { discoverEntities?(): void };

/** Connection pools of a process, for the primary and its read replicas. They use the connections of MikroORM. */
export class Pools {
  readonly #pools = new Map<Connection, pg.Pool>();
  readonly #primary: Connection;
  readonly #replicas = new Set<Connection>();
  /** Replicas that reads can use. */
  #readableReplicas: readonly Connection[] = [];

  /** Write-ahead log position that each replica had replayed at the last check, in bytes. */
  appliedPositions: ReadonlyMap<Connection, number> = new Map();

  /** Lag of each replica in milliseconds at the last check. Null for replicas that did not respond. */
  replicaLags: ReadonlyMap<Connection, number | null> = new Map();

  /** Called after a write has been committed. */
  onCommit: () => void = () => undefined;

  constructor(readonly orm: Orm) {
    this.#primary = orm.em.getDriver().getConnection('write');
    const count = (orm.config.get('replicas') ?? []).length;
    // The driver returns a random replica each time, so finding all replicas can need more than `count` calls.
    while (this.#replicas.size < count) this.#replicas.add(orm.em.getDriver().getConnection('read'));
    this.#readableReplicas = [...this.#replicas];
  }

  get hasReplicas(): boolean {
    return this.#replicas.size > 0;
  }

  get replicas(): readonly Connection[] {
    return [...this.#replicas];
  }

  /** Excludes replicas from reads. The next call replaces the exclusions. */
  excludeReplicas(isExcluded: (replica: Connection) => boolean): void {
    this.#readableReplicas = this.replicas.filter((replica) => !isExcluded(replica));
  }

  /** Returns a connection. Writes use the primary. Reads use a random replica, or the primary if all replicas are excluded. */
  connection(kind: 'read' | 'write'): Connection {
    const replica =
      kind === 'read' && this.#readableReplicas.length > 0
        ? this.#readableReplicas[Math.floor(Math.random() * this.#readableReplicas.length)]
        : undefined;
    return replica ?? this.#primary;
  }

  /** Returns the pool of a connection. On first use, returns a promise instead. */
  pool(connection = this.#primary): pg.Pool | Promise<pg.Pool> {
    return this.#pools.get(connection) ?? this.#open(connection);
  }

  /** Returns the pools that have been used. */
  openPools(): { database: string; pool: pg.Pool }[] {
    return [...this.#pools].map(([connection, pool]) => ({ database: this.nameOf(connection), pool }));
  }

  /** Returns the name of a database for metrics. Replicas have numbers, which can differ between processes. */
  nameOf(connection: Connection): string {
    return connection === this.#primary ? 'primary' : `replica ${this.replicas.indexOf(connection) + 1}`;
  }

  /** Whether reads can use the replica. */
  isReadable(replica: Connection): boolean {
    return this.#readableReplicas.includes(replica);
  }

  /** Number of replicas that reads can use. */
  get readableReplicaCount(): number {
    return this.#readableReplicas.length;
  }

  async #open(connection: Connection): Promise<pg.Pool> {
    const pool: pg.Pool = await connection.getNativeClient();
    this.#pools.set(connection, pool);
    return pool;
  }
}

/**
 * Waits for a connection, then runs the statement on it. Tracing needs the async context of the caller, but a busy pool would run a queued
 * statement in the context of another caller.
 */
export async function queryOnAcquiredConnection(pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
