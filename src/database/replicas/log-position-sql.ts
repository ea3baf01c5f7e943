import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Pools } from '../../kernel/pools.js';

/** Timeout of a position query in milliseconds. */
const timeoutMs = 500;

/** Selects the position up to which the primary has flushed its write-ahead log. Replicas can receive the log up to this position. */
const flushedSql = "select pg_current_wal_flush_lsn() - '0/0' as position";
/**
 * Selects the position up to which a replica has applied the write-ahead log. Selects the highest possible position for a primary, because
 * `pg_last_wal_replay_lsn` returns the position of the promotion on a promoted replica.
 */
const appliedSql =
  "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else 'FFFFFFFF/FFFFFFFF' end - '0/0' as position";

/** Reads the write-ahead log position of a server over a separate connection, because all request connections may be busy. */
export class LogPositionReader {
  #client: pg.Client | null = null;

  constructor(
    readonly pools: Pools,
    readonly connection: Connection,
    readonly isPrimary: boolean,
  ) {}

  /** Returns the position in bytes since the database was created. Rejects after the timeout. */
  async readPosition(): Promise<number> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query(this.isPrimary ? flushedSql : appliedSql);
      return Number(rows[0]?.position);
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
      // The password is not enumerable, so the spread does not copy it.
      password: options.password,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
