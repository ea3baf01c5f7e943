import { channel } from 'node:diagnostics_channel';
import type { PostgreSqlConnection as Connection, SqlEntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { AuditContext } from './audit-context.js';
import { Deadline } from './clock.js';
import { toClientError } from './database-errors.js';
import { anonymousCaller, type Caller } from './declare/policy/caller.js';
import type { Row } from './declare/row.js';
import { effectsOf, librarySql, type SqlText, type StatementEffects, statementFactsOf } from './facts.js';
import { type Pools, queryOnAcquiredConnection } from './pools.js';
import { ReplicaRouting } from './replica-routing.js';
import type { ResponseSources } from './response-sources.js';
import { checkedRows, type RowOfShape, type RowShape } from './row-shape.js';
import type { Statement } from './statement.js';
import { tracing } from './tracing.js';
import { Transactions } from './transactions.js';

export { violatedConstraint } from './database-errors.js';
export type { Row } from './declare/row.js';
export { Pools } from './pools.js';

/** Diagnostics channel that publishes the text of each statement. */
const statementChannel = channel('courtside:statement');

/** Typed tables of the records. Modules add their tables by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add properties by declaration merging
export interface Tables {}

/** Query builder that is typed by the tables of the records. */
export type Db = Kysely<Tables>;

/** Runs last in the first transaction of a session. Throws to roll it back. */
export type CommitFence = (session: Session) => Promise<void>;

/** Deadline of a session, and the actor of its audit entries. */
interface SessionOptions {
  readonly deadline?: number;
  readonly actor?: (() => string) | null;
}

/** Sessions with an open transaction, keyed by entity manager. */
const sessions = new WeakMap<object, Session>();

/** Returns the session that an entity manager belongs to. Undefined if the entity manager was not used in a transaction of a session. */
export const sessionOf = (em: object): Session | undefined => sessions.get(em);

/**
 * Runs the statements of one request. Reads can use a replica until the first write. Mutations, and all statements after a write, use the
 * primary.
 */
export class Session {
  readonly #routing: ReplicaRouting;
  readonly #transactions: Transactions;
  readonly #audit: AuditContext;
  readonly #deadline: Deadline;
  fence: CommitFence | null = null;

  constructor(
    readonly pools: Pools,
    mode: 'read' | 'write',
    /** Caller of the session. It determines which rows are visible. */
    readonly caller: Caller = anonymousCaller,
    { deadline, actor = null }: SessionOptions = {},
    /** Collects the dependencies of the response. Null if dependencies are not tracked. */
    readonly sources: ResponseSources | null = null,
  ) {
    this.#routing = new ReplicaRouting(pools, mode);
    this.#transactions = new Transactions(pools);
    this.#audit = new AuditContext(caller, actor);
    this.#deadline = new Deadline(deadline);
  }

  /** Deadline in milliseconds, as a value of `clock.now`. */
  get deadline(): number {
    return this.#deadline.time;
  }

  /** Sends all later reads of this request to the primary, so that they see its writes. */
  usePrimary(): void {
    this.#routing.usePrimary();
  }

  /** Whether reads go to the primary. */
  get usesPrimary(): boolean {
    return this.#routing.usesPrimary;
  }

  /** Connection for reads: the primary after a write, otherwise the same replica for all reads. */
  get readConnection(): Connection {
    return this.#routing.connection;
  }

  get isInTransaction(): boolean {
    return this.#transactions.current !== null;
  }

  /** Entity manager of the open transaction. Throws outside a transaction. */
  get em(): SqlEntityManager {
    const { current } = this.#transactions;
    if (!current) throw new Error('the entity manager requires an open transaction');
    return current.em;
  }

  /** Query builder for typed statements. Uses the open transaction, if any. */
  get db(): Db {
    return this.#transactions.current?.db ?? this.readConnection.getClient();
  }

  /** Runs a typed statement and returns its rows: `run(db.selectFrom('team')…)`. */
  async run<T>(statement: { compile(): CompiledQuery<T> }): Promise<T[]> {
    this.#deadline.check();
    const compiled = statement.compile();
    this.sources?.addStatement(compiled.sql, () => statementFactsOf(compiled.query), this);
    const effects = effectsOf(compiled.query);
    const needsActor = this.usesPrimary && this.#audit.isNeededFor(effects);
    if (this.#needsTransaction(effects, needsActor)) return this.transaction(() => this.run(statement));
    if (needsActor) await this.sendActor();
    try {
      const { rows } = await this.db.executeQuery(compiled);
      this.#reportCommit(effects);
      return rows;
    } catch (error) {
      throw toClientError(error);
    }
  }

  /** Runs a typed statement. Returns the first row, or null. */
  async first<T>(statement: { compile(): CompiledQuery<T> }): Promise<T | null> {
    return (await this.run(statement))[0] ?? null;
  }

  /** Runs a compiled statement with values. A write also sets the actor in the same statement. */
  statement(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#rows(statement, statement.parametersFor(values, this.#audit.actorFor(statement)), false);
  }

  /**
   * Runs SQL text with values. Returns the rows, typed by `shape`. A plain string is treated as `librarySql`, a write that changes no
   * table.
   */
  rows(sql: SqlText | string, values?: unknown[]): Promise<Row[]>;
  rows<S extends RowShape>(sql: SqlText | string, values: unknown[], shape: S): Promise<RowOfShape<S>[]>;
  async rows(sql: SqlText | string, values: unknown[] = [], shape: RowShape = {}): Promise<Row[]> {
    const statement = typeof sql === 'string' ? librarySql(sql) : sql;
    return checkedRows(await this.#rows(statement, values, this.usesPrimary && this.#audit.isNeededFor(statement)), shape);
  }

  async #rows(statement: SqlText, values: unknown[], needsActor: boolean): Promise<Row[]> {
    const { text } = statement;
    this.#deadline.check();
    this.sources?.addStatement(text, () => statement, this);
    if (this.#needsTransaction(statement, needsActor)) return this.transaction(() => this.#rows(statement, values, needsActor));
    if (needsActor) await this.sendActor();
    try {
      const { current } = this.#transactions;
      if (current) return (await current.db.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows;
      const poolOrPromise = this.pools.pool(this.readConnection);
      const pool = poolOrPromise instanceof Promise ? await poolOrPromise : poolOrPromise;
      const isUntraced = !tracing && !statementChannel.hasSubscribers;
      const rows = isUntraced ? (await pool.query<Row>(text, values)).rows : await queryOnAcquiredConnection(pool, text, values);
      this.#reportCommit(statement);
      return rows;
    } catch (error) {
      throw toClientError(error);
    }
  }

  /** Runs SQL text with values. Returns the first row, or null. */
  row(sql: SqlText | string, values?: unknown[]): Promise<Row | null>;
  row<S extends RowShape>(sql: SqlText | string, values: unknown[], shape: S): Promise<RowOfShape<S> | null>;
  async row(sql: SqlText | string, values: unknown[] = [], shape: RowShape = {}): Promise<Row | null> {
    return (await this.rows(sql, values, shape))[0] ?? null;
  }

  /** Runs a statement for a library, such as the job queue that the outbox uses. Uses the open transaction, if any. */
  async query(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    return { rows: await this.rows(text, values) };
  }

  /**
   * Whether a statement must start a transaction, because a fence is set and the statement writes, or because its triggers record the
   * actor.
   */
  #needsTransaction({ kind }: StatementEffects, needsActor: boolean): boolean {
    return !this.isInTransaction && (needsActor || (this.fence !== null && kind === 'write'));
  }

  /** Called after each statement. Reports the commit of a write outside a transaction. */
  #reportCommit({ kind }: StatementEffects): void {
    if (this.usesPrimary && !this.isInTransaction && kind === 'write') this.pools.onCommit();
  }

  /** Sets the actor in the open transaction, at most once. Call this method before the first write whose triggers record the actor. */
  async sendActor(): Promise<void> {
    const { current } = this.#transactions;
    if (current) await this.#audit.send((text, values) => current.db.executeQuery(CompiledQuery.raw(text, values)));
  }

  /**
   * Runs work in one transaction. All statements that this session runs during the work are part of the transaction. A nested transaction
   * is a savepoint: if it fails, only its own changes are rolled back.
   */
  async transaction<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
    this.#deadline.check();
    this.sources?.addOtherDependency('a transaction');
    this.#routing.usePrimary();
    const isNested = this.isInTransaction;
    const finishAudit = this.#audit.startTransaction();
    // An actor that was set in a savepoint stays set until the end of the transaction, unless the savepoint is rolled back.
    let isFinished = true;
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
            this.pools.onCommit();
          },
        },
      );
      isFinished = !isNested;
      return result;
    } catch (error) {
      throw toClientError(error);
    } finally {
      finishAudit(isFinished);
    }
  }
}

declare module './declare/context.js' {
  interface Client {
    /** Fence for requests with an idempotency key. */
    readonly fence?: CommitFence;
  }
  interface Context {
    readonly sql: Session;
  }
}
