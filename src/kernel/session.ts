import { channel } from 'node:diagnostics_channel';
import type { PostgreSqlConnection as Connection, SqlEntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { tellActor, writerOf, writesLogged } from './audit.js';
import { clock } from './clock.js';
import { type Caller, nobody } from './declare/caller.js';
import { fail } from './declare/errors.js';
import type { Row } from './declare/row.js';
import { explain } from './explain.js';
import { type Effects, effectsOf, factsOf, foreignSql, type SqlText } from './facts.js';
import { onItsOwn } from './on-its-own.js';
import type { Pools } from './pools.js';
import type { Reads } from './reads.js';
import { type RowShape, type RowShaped, shaped } from './row-shape.js';
import type { Statement } from './statement.js';
import { tracing } from './tracing.js';

export type { Param, Row } from './declare/row.js';
export { violatedConstraint } from './explain.js';
export { Pools } from './pools.js';

/** Every statement is told there, with its text, while somebody listens. */
const statements = channel('courtside:statement');

/** The tables of the records, typed; modules add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge into it
export interface Tables {}

/** Typed statements over the tables of the records. */
export type Db = Kysely<Tables>;

const tooLate = (): never => fail('UNAVAILABLE', 'the database took too long', { retryAfter: 5 });

/** What comes with the first transaction of a session, last; it rejects where that must not be committed. */
export type Fence = (within: Session) => Promise<void>;

/** For whom a session works, and how long. */
interface Bounds {
  readonly until?: number;
  readonly actor?: (() => string) | null;
}

/** Whose transactions the entities are in that are about to be written. */
const sessions = new WeakMap<object, Session>();

/** The session that works with these entities. */
export const sessionOf = (em: object): Session | undefined => sessions.get(em);

/**
 * What one request does with the database. Reads of queries may go to a replica, all to the same one; everything after a write, and
 * every mutation, goes to the primary.
 */
export class Session {
  #em: SqlEntityManager | null = null;
  #transaction: Db | null = null;
  #wrote: boolean;
  #reader: Connection | null = null;
  /** When nobody waits for it any more, by the clock: nothing is begun from then on. */
  readonly until: number;
  /** Who acts, as the audit has it (`actorOf`); null for what the service does by itself. */
  readonly actor: (() => string) | null;
  fence: Fence | null = null;
  /** The telling of who acts to the open transaction, once it has begun. */
  #told: Promise<unknown> | null = null;

  constructor(
    readonly pools: Pools,
    mode: 'read' | 'write',
    /** For whom it reads. */
    readonly caller: Caller = nobody,
    { until = Number.POSITIVE_INFINITY, actor = null }: Bounds = {},
    /** Where it is noted what an answer is read from; null where nobody wants to know. */
    readonly reads: Reads | null = null,
  ) {
    this.#wrote = mode === 'write';
    this.until = until;
    this.actor = actor;
  }

  /** From now on this request reads from the primary, so that it sees what it wrote. */
  writes(): void {
    this.#wrote = true;
  }

  /** Whether it reads from the primary. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Where it reads now: the primary once it wrote, else a replica that stays the same. */
  get reader(): Connection {
    if (this.#wrote) return this.pools.connection('write');
    this.#reader ??= this.pools.connection('read');
    return this.#reader;
  }

  /** Whether a transaction is open. */
  get isInTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** The entities of the open transaction: for rules that lock, look and change. */
  get em(): SqlEntityManager {
    if (!this.#em) throw new Error('entities are read and changed in a transaction');
    return this.#em;
  }

  /** Typed statements: in the open transaction, if there is one. */
  get db(): Db {
    return this.#transaction ?? this.reader.getClient();
  }

  /** Runs a typed statement, `run(db.selectFrom('team')…)`; its rows, or those that it returns. */
  async run<T>(statement: { compile(): CompiledQuery<T> }): Promise<T[]> {
    if (clock.now > this.until) tooLate();
    const compiled = statement.compile();
    this.reads?.statement(compiled.sql, () => factsOf(compiled.query), this);
    const effects = effectsOf(compiled.query);
    if (this.#needsFence(effects)) return this.transaction(() => this.run(statement));
    if (this.actor && this.#wrote && writesLogged(effects)) {
      if (!this.isInTransaction) return this.transaction(() => this.run(statement));
      await this.tell();
    }
    try {
      const { rows } = await this.db.executeQuery(compiled);
      this.#committed(effects);
      return rows;
    } catch (error) {
      throw explain(error);
    }
  }

  /** Runs a typed statement; its first row, or null. */
  async first<T>(statement: { compile(): CompiledQuery<T> }): Promise<T | null> {
    return (await this.run(statement))[0] ?? null;
  }

  /** Runs a statement that was built once, with the values of this run. */
  statement(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { actor } = this;
    const teller = actor && !statement.isAudited ? () => writerOf(this.caller) : (actor ?? undefined);
    return this.#rows(statement, statement.with(values, teller), false);
  }

  /** Runs SQL text with its values, and returns rows of a shape, or of any. Text without facts counts as that of a library. */
  rows(sql: SqlText | string, values?: unknown[]): Promise<Row[]>;
  rows<S extends RowShape>(sql: SqlText | string, values: unknown[], shape: S): Promise<RowShaped<S>[]>;
  async rows(sql: SqlText | string, values: unknown[] = [], shape: RowShape = {}): Promise<Row[]> {
    const statement = typeof sql === 'string' ? foreignSql(sql) : sql;
    const rows = await this.#rows(statement, values, this.actor !== null && this.#wrote && writesLogged(statement));
    return shaped(rows, shape);
  }

  async #rows(statement: SqlText, values: unknown[], isLogged: boolean): Promise<Row[]> {
    const { text } = statement;
    if (clock.now > this.until) tooLate();
    this.reads?.statement(text, () => statement, this);
    if (this.#needsFence(statement)) return this.transaction(() => this.#rows(statement, values, isLogged));
    if (isLogged && this.actor) {
      if (!this.isInTransaction) return this.transaction(() => this.#rows(statement, values, isLogged));
      await this.tell();
    }
    try {
      if (this.#transaction)
        return (await this.#transaction.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows;
      const found = this.pools.pool(this.reader);
      const pool = found instanceof Promise ? await found : found;
      const isPlain = !tracing && !statements.hasSubscribers;
      const rows = isPlain ? (await pool.query<Row>(text, values)).rows : await onItsOwn(pool, text, values);
      this.#committed(statement);
      return rows;
    } catch (error) {
      throw explain(error);
    }
  }

  /** The first row, or null. */
  row(sql: SqlText | string, values?: unknown[]): Promise<Row | null>;
  row<S extends RowShape>(sql: SqlText | string, values: unknown[], shape: S): Promise<RowShaped<S> | null>;
  async row(sql: SqlText | string, values: unknown[] = [], shape: RowShape = {}): Promise<Row | null> {
    return (await this.rows(sql, values, shape))[0] ?? null;
  }

  /** The shape in which other parts (the outbox) take part in this transaction. */
  async query(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    return { rows: await this.rows(text, values) };
  }

  /** Whether a statement writes, so that it has to run in a transaction with the fence. */
  #needsFence({ kind }: Effects): boolean {
    return this.fence !== null && !this.isInTransaction && kind === 'write';
  }

  /** Called after each statement. A write outside a transaction is committed then. */
  #committed({ kind }: Effects): void {
    if (this.#wrote && !this.isInTransaction && kind === 'write') this.pools.onWritten();
  }

  /** Tells the open transaction who acts, once: before the first write whose triggers ask for it. */
  async tell(): Promise<void> {
    if (!this.actor || !this.#transaction) return;
    this.#told ??= this.#transaction.executeQuery(CompiledQuery.raw(tellActor, [this.actor()]));
    await this.#told;
  }

  /**
   * Runs the work in one transaction; every statement of this request inside it takes part. A nested one is a savepoint: when it fails, what
   * came before it stays.
   */
  async transaction<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
    if (clock.now > this.until) tooLate();
    const outer = { em: this.#em, transaction: this.#transaction, told: this.#told };
    this.reads?.unknown('a transaction');
    let isKept = false;
    this.#wrote = true;
    this.pools.orm.learn?.();
    try {
      const result = await (this.#em ?? this.pools.orm.em.fork()).transactional(async (em) => {
        this.#em = em;
        this.#transaction = em.getKysely();
        sessions.set(em, this);
        const done = await work(em);
        if (!outer.em) await this.fence?.(this);
        return done;
      });
      isKept = outer.em !== null;
      if (!isKept) {
        this.fence = null;
        this.pools.onWritten();
      }
      return result;
    } catch (error) {
      throw explain(error);
    } finally {
      this.#em = outer.em;
      this.#transaction = outer.transaction;
      // What was told behind a savepoint holds on, unless that was rolled back.
      if (!isKept) this.#told = outer.told;
    }
  }
}

declare module './declare/context.js' {
  interface Client {
    /** Of a request that is done once. */
    readonly fence?: Fence;
  }
  interface Context {
    readonly sql: Session;
  }
}
