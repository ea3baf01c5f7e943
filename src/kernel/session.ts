import { channel } from 'node:diagnostics_channel';
import type { PostgreSqlConnection as Connection, SqlEntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { AuditContext } from './audit-context.js';
import { Deadline } from './deadline.js';
import { type Caller, nobody } from './declare/caller.js';
import type { Row } from './declare/row.js';
import { explain } from './explain.js';
import { type Effects, effectsOf, factsOf, foreignSql, type SqlText } from './facts.js';
import { onItsOwn } from './on-its-own.js';
import type { Pools } from './pools.js';
import type { Reads } from './reads.js';
import { ReplicaRouting } from './replica-routing.js';
import { type RowShape, type RowShaped, shaped } from './row-shape.js';
import type { Statement } from './statement.js';
import { tracing } from './tracing.js';
import { Transactions } from './transactions.js';

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

/** Runs last in the first transaction of a session. Throws to roll it back. */
export type Fence = (within: Session) => Promise<void>;

/** Caller and deadline of a session. */
interface Bounds {
  readonly until?: number;
  readonly actor?: (() => string) | null;
}

/** The sessions of open transactions, by their entity managers. */
const sessions = new WeakMap<object, Session>();

/** The session that works with these entities. */
export const sessionOf = (em: object): Session | undefined => sessions.get(em);

/**
 * Runs the statements of one request. Reads of queries may go to a replica, all to the same one. Everything after a write, and every mutation, goes to
 * the primary.
 */
export class Session {
  readonly #routing: ReplicaRouting;
  readonly #transactions: Transactions;
  readonly #audit: AuditContext;
  readonly #deadline: Deadline;
  fence: Fence | null = null;

  constructor(
    readonly pools: Pools,
    mode: 'read' | 'write',
    /** The caller whose rows it reads. */
    readonly caller: Caller = nobody,
    { until, actor = null }: Bounds = {},
    /** Collects the sources of the response. Null if they are not needed. */
    readonly reads: Reads | null = null,
  ) {
    this.#routing = new ReplicaRouting(pools, mode);
    this.#transactions = new Transactions(pools);
    this.#audit = new AuditContext(caller, actor);
    this.#deadline = new Deadline(until);
  }

  /** The deadline, by the clock of the process. */
  get until(): number {
    return this.#deadline.at;
  }

  /** From now on this request reads from the primary, so that it sees what it wrote. */
  writes(): void {
    this.#routing.usePrimary();
  }

  /** Whether it reads from the primary. */
  get wrote(): boolean {
    return this.#routing.usesPrimary;
  }

  /** Where it reads now: the primary once it wrote, else a replica that stays the same. */
  get reader(): Connection {
    return this.#routing.connection;
  }

  /** Whether a transaction is open. */
  get isInTransaction(): boolean {
    return this.#transactions.open !== null;
  }

  /** The entities of the open transaction: for rules that lock, look and change. */
  get em(): SqlEntityManager {
    const { open } = this.#transactions;
    if (!open) throw new Error('entities are read and changed in a transaction');
    return open.em;
  }

  /** Typed statements: in the open transaction, if there is one. */
  get db(): Db {
    return this.#transactions.open?.db ?? this.reader.getClient();
  }

  /** Runs a typed statement, `run(db.selectFrom('team')…)`, and returns its rows. */
  async run<T>(statement: { compile(): CompiledQuery<T> }): Promise<T[]> {
    this.#deadline.check();
    const compiled = statement.compile();
    this.reads?.statement(compiled.sql, () => factsOf(compiled.query), this);
    const effects = effectsOf(compiled.query);
    const isLogged = this.wrote && this.#audit.isNeededFor(effects);
    if (this.#needsTransaction(effects, isLogged)) return this.transaction(() => this.run(statement));
    if (isLogged) await this.tell();
    try {
      const { rows } = await this.db.executeQuery(compiled);
      this.#committed(effects);
      return rows;
    } catch (error) {
      throw explain(error);
    }
  }

  /** Runs a typed statement. Returns its first row, or null. */
  async first<T>(statement: { compile(): CompiledQuery<T> }): Promise<T | null> {
    return (await this.run(statement))[0] ?? null;
  }

  /** Runs a compiled statement with values. It sends the actor itself. */
  statement(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#rows(statement, statement.with(values, this.#audit.senderFor(statement)), false);
  }

  /** Runs SQL text with its values, and returns rows of a shape, or of any. Text without facts counts as that of a library. */
  rows(sql: SqlText | string, values?: unknown[]): Promise<Row[]>;
  rows<S extends RowShape>(sql: SqlText | string, values: unknown[], shape: S): Promise<RowShaped<S>[]>;
  async rows(sql: SqlText | string, values: unknown[] = [], shape: RowShape = {}): Promise<Row[]> {
    const statement = typeof sql === 'string' ? foreignSql(sql) : sql;
    return shaped(await this.#rows(statement, values, this.wrote && this.#audit.isNeededFor(statement)), shape);
  }

  async #rows(statement: SqlText, values: unknown[], isLogged: boolean): Promise<Row[]> {
    const { text } = statement;
    this.#deadline.check();
    this.reads?.statement(text, () => statement, this);
    if (this.#needsTransaction(statement, isLogged)) return this.transaction(() => this.#rows(statement, values, isLogged));
    if (isLogged) await this.tell();
    try {
      const { open } = this.#transactions;
      if (open) return (await open.db.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows;
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

  /** The interface by which other parts (the outbox) take part in this transaction. */
  async query(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    return { rows: await this.rows(text, values) };
  }

  /** Whether a statement has to run in a transaction: a write with the fence, or one whose triggers record the actor. */
  #needsTransaction({ kind }: Effects, isLogged: boolean): boolean {
    return !this.isInTransaction && (isLogged || (this.fence !== null && kind === 'write'));
  }

  /** Called after each statement. A write outside a transaction is committed then. */
  #committed({ kind }: Effects): void {
    if (this.wrote && !this.isInTransaction && kind === 'write') this.pools.onWritten();
  }

  /** Sends the actor to the open transaction, once. Called before the first write whose triggers record it. */
  async tell(): Promise<void> {
    const { open } = this.#transactions;
    if (open) await this.#audit.send((text, values) => open.db.executeQuery(CompiledQuery.raw(text, values)));
  }

  /**
   * Runs the work in one transaction. Every statement of this request inside it takes part. A nested one is a savepoint: when it fails, what
   * came before it stays.
   */
  async transaction<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
    this.#deadline.check();
    this.reads?.unknown('a transaction');
    this.#routing.usePrimary();
    const isNested = this.isInTransaction;
    const leave = this.#audit.enter();
    // The actor is valid until the end of the transaction. One that was sent in a savepoint stays valid, unless the savepoint is rolled back.
    let isOver = true;
    try {
      const result = await this.#transactions.run(
        (em) => {
          sessions.set(em, this);
          return work(em);
        },
        {
          beforeCommit: async () => this.fence?.(this),
          afterCommit: () => {
            this.fence = null;
            this.pools.onWritten();
          },
        },
      );
      isOver = !isNested;
      return result;
    } catch (error) {
      throw explain(error);
    } finally {
      leave(isOver);
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
