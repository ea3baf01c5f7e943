import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Pools } from '../kernel/pools.js';

/** How long one waits for a server that is asked where it is, in milliseconds. */
const patience = 500;

/** What has left the primary's memory: what replicas can have. */
const written = "select pg_current_wal_flush_lsn() - '0/0' as place";
/** A server that follows nobody has everything. */
const applied = "select coalesce(pg_last_wal_replay_lsn(), 'FFFFFFFF/FFFFFFFF') - '0/0' as place";

/** Asks a server how far its log is, over a connection of its own: those of requests may all be taken. */
export class LogPlace {
  #client: pg.Client | null = null;

  constructor(
    readonly pools: Pools,
    readonly connection: Connection,
    readonly isPrimary: boolean,
  ) {}

  /** Bytes of log since the database was made; rejects when there is no answer in time. */
  async ask(): Promise<number> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query(this.isPrimary ? written : applied);
      return Number(rows[0]?.place);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#client?.end().catch(() => undefined);
    this.#client = null;
  }

  async #connect(): Promise<pg.Client> {
    const { options } = await this.pools.pool(this.connection);
    const client = new pg.Client({
      ...options,
      // It is none of those that a copy takes along.
      password: options.password,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
