import type { PostgreSqlConnection as Connection, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';

/** An ORM that may learn its entities later than its connections. */
type Orm = MikroORM & { discoverEntities?(): void };

/** The pools of a process, behind MikroORM's connections: one primary, and its read replicas. */
export class Pools {
  readonly #pools = new Map<Connection, pg.Pool>();
  readonly #primary: Connection;
  readonly #replicas = new Set<Connection>();
  /** Those that may be read now. */
  #readable: readonly Connection[] = [];

  /** How much of the primary's log each replica had applied when it was last looked at, in bytes. */
  applied: ReadonlyMap<Connection, number> = new Map();

  /** Hears that something was committed; not of what. */
  onWritten: () => void = () => undefined;

  constructor(readonly orm: Orm) {
    this.#primary = orm.em.getDriver().getConnection('write');
    const count = (orm.config.get('replicas') ?? []).length;
    // The driver draws one of them each time.
    while (this.#replicas.size < count) this.#replicas.add(orm.em.getDriver().getConnection('read'));
    this.#readable = [...this.#replicas];
  }

  /** Whether reads may come from a replica. */
  get hasReplicas(): boolean {
    return this.#replicas.size > 0;
  }

  get replicas(): readonly Connection[] {
    return [...this.#replicas];
  }

  /** Leaves out the replicas of which this is true, until it is told again. */
  leaveOut(isLeftOut: (replica: Connection) => boolean): void {
    this.#readable = this.replicas.filter((replica) => !isLeftOut(replica));
  }

  /** The connection of the primary; for reads, of any replica that is not left out. */
  connection(kind: 'read' | 'write'): Connection {
    const drawn =
      kind === 'read' && this.#readable.length > 0
        ? this.#readable[Math.floor(Math.random() * this.#readable.length)]
        : undefined;
    return drawn ?? this.#primary;
  }

  /** The pool of a connection; at once when it has been used before. */
  pool(connection = this.#primary): pg.Pool | Promise<pg.Pool> {
    return this.#pools.get(connection) ?? this.#open(connection);
  }

  /** The pools that have been used: of the primary, and of the replicas by their place. */
  opened(): { database: string; pool: pg.Pool }[] {
    let replicas = 0;
    return [...this.#pools].map(([connection, pool]) => ({
      database: connection === this.#primary ? 'primary' : `replica ${++replicas}`,
      pool,
    }));
  }

  async #open(connection: Connection): Promise<pg.Pool> {
    const pool: pg.Pool = await connection.getNativeClient();
    this.#pools.set(connection, pool);
    return pool;
  }
}
