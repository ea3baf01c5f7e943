import type { PostgreSqlConnection as Connection, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';

/** An ORM that may learn its entities later than its connections. */
type Orm = MikroORM & { learn?(): void };

/** The pools of a process, behind MikroORM's connections: one primary, and its read replicas. */
export class Pools {
  readonly #pools = new Map<Connection, pg.Pool>();
  /** Whether reads may come from a replica. */
  readonly hasReplicas: boolean;

  constructor(readonly orm: Orm) {
    this.hasReplicas = (orm.config.get('replicas') ?? []).length > 0;
  }

  /** The connection of the primary, or of one of its replicas. */
  connection(kind: 'read' | 'write'): Connection {
    return this.orm.em.getDriver().getConnection(kind);
  }

  /** The pool of a connection; at once when it has been used before. */
  pool(connection = this.connection('write')): pg.Pool | Promise<pg.Pool> {
    return this.#pools.get(connection) ?? this.#open(connection);
  }

  /** The pools that have been used: of the primary, and of the replicas by their place. */
  opened(): { database: string; pool: pg.Pool }[] {
    const primary = this.connection('write');
    let replicas = 0;
    return [...this.#pools].map(([connection, pool]) => ({
      database: connection === primary ? 'primary' : `replica ${++replicas}`,
      pool,
    }));
  }

  async #open(connection: Connection): Promise<pg.Pool> {
    const pool: pg.Pool = await connection.getNativeClient();
    this.#pools.set(connection, pool);
    return pool;
  }
}
