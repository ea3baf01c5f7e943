import type { PostgreSqlConnection as Connection, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type Caller, nobody } from './caller.js';
import { type Code, type Details, problem } from './errors.js';

export type Row = Record<string, unknown>;

/** Collects the values of a statement and gives each its placeholder. */
export type Param = (value: unknown) => string;

/** The pools of a process, behind MikroORM's connections: one primary, and its read replicas. */
export class Source {
  /** Statements executed since the start; tests prove with it that lists take a constant number. */
  executed = 0;

  readonly #pools = new Map<Connection, pg.Pool>();

  constructor(readonly orm: MikroORM) {}

  /** The pool of the primary, or of one of its replicas; at once when it has been used before. */
  pool(kind: 'read' | 'write'): pg.Pool | Promise<pg.Pool> {
    const connection = this.orm.em.getDriver().getConnection(kind);
    return this.#pools.get(connection) ?? this.#open(connection);
  }

  async #open(connection: Connection): Promise<pg.Pool> {
    const pool: pg.Pool = await connection.getNativeClient();
    this.#pools.set(connection, pool);
    return pool;
  }
}

/**
 * The statements of one request. Reads of queries may go to a replica; everything after a write, and every
 * mutation, goes to the primary. Statements are prepared once a connection.
 */
export class Sql {
  #client: pg.PoolClient | null = null;
  #wrote: boolean;

  constructor(
    readonly source: Source,
    mode: 'read' | 'write',
    /** For whom it reads. */
    readonly caller: Caller = nobody,
  ) {
    this.#wrote = mode === 'write';
  }

  /** From now on this request reads from the primary, so that it sees what it wrote. */
  writes(): void {
    this.#wrote = true;
  }

  async rows<T extends Row = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    this.source.executed++;
    try {
      const found = this.#client ?? this.source.pool(this.#wrote ? 'write' : 'read');
      const target = found instanceof Promise ? await found : found;
      const { rows } = await target.query<T>(text, values);
      return rows;
    } catch (error) {
      throw explain(error);
    }
  }

  /** The first row, or null. */
  async row<T extends Row = Row>(text: string, values: unknown[] = []): Promise<T | null> {
    return (await this.rows<T>(text, values))[0] ?? null;
  }

  /** The shape in which other parts (the outbox) take part in this transaction. */
  async query(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    return { rows: await this.rows(text, values) };
  }

  /** Runs the work in one transaction; every statement of this request inside it takes part. Nested calls join. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#client) return work();
    this.#wrote = true;
    const client = await Promise.resolve(this.source.pool('write'))
      .then((pool) => pool.connect())
      .catch((error: unknown) => Promise.reject(explain(error)));
    let broken: Error | undefined;
    try {
      await client.query('begin');
      this.#client = client;
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw explain(error);
    } finally {
      this.#client = null;
      client.release(broken);
    }
  }
}

const unavailable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|08|57P|53)/;

/** What the database refused, as an error of the table; the rest stays as it is and is masked later. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const because = (as: Code, message: string, details?: Details) =>
    Object.assign(problem(as, message, details), { cause: error });
  if (
    unavailable.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool/.test(error.message)
  ) {
    return because('UNAVAILABLE', 'the database cannot be reached', { retryAfter: 5 });
  }
  if (code === '57014') return because('UNAVAILABLE', 'the database took too long', { retryAfter: 5 });
  if (code === '40001' || code === '40P01') return because('UNAVAILABLE', 'too many concurrent writes', { retryAfter: 1 });
  if (code === '22021' || code === '22P05') return because('BAD_INPUT', 'text: expected no NUL characters');
  if (code === '54000') return because('BAD_INPUT', 'a value is too long to be stored');
  if (code.startsWith('22')) return because('BAD_INPUT', 'a value is out of the range that can be stored');
  return error;
}

/** The constraint that a statement violated by being second, or null. */
export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null;
