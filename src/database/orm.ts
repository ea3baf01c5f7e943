import type { EventSubscriber } from '@mikro-orm/core';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { selectIsStandby } from '../kernel/accepts-writes-sql.js';
import { metaOf, type RecordClass } from '../kernel/declare/meta.js';
import { instantFromDatabase } from '../kernel/declare/scalars/instant.js';
import { connectionOptions } from '../kernel/primary-host.js';
import type { Module } from '../kernel/serve/module.js';
import { sessionOf } from '../kernel/session.js';
import { modules as all } from '../modules/index.js';
import { ormEntitiesOf } from './entities.js';
import { PreparedClient, UnpreparedClient } from './prepared-client.js';
import { StuckQueryGuard, type Timeouts, timeoutSettings } from './timeouts.js';

export interface ConnectionOptions {
  url: string;
  /** URLs of streaming replicas for read queries. */
  replicas?: readonly string[];
  /** Modules for which tables are mapped. Default: all. */
  modules?: readonly Module[];
  /** Maximum number of connections per pool. */
  pool?: number;
  /** Whether statements are prepared on the server. */
  prepared?: boolean;
  /** Maximum time to wait for a connection, in seconds. */
  waitSeconds?: number;
}

/**
 * Similarity thresholds of the search, which allow for one or two wrong letters. A pooler in transaction mode must set the thresholds on
 * its own connections.
 */
export const searchThresholds =
  'set pg_trgm.word_similarity_threshold = 0.45; set pg_trgm.strict_word_similarity_threshold = 0.26';

/** Session settings of every connection. Timestamps are read as UTC text. */
const sessionSettings = `set timezone = 'UTC'; ${searchThresholds}`;

/** Type parsers: timestamps are read as text to keep all digits, and 64-bit integers as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantFromDatabase);
types.setTypeParser(pg.types.builtins.INT8, Number);

/** Sets the actor of the transaction before logged entities are written. */
const loggedEntities: EventSubscriber = {
  async onFlush({ em, uow }) {
    const isLogged = uow.getChangeSets().some(({ meta }) => !metaOf(meta.class as RecordClass).options?.unlogged);
    if (isLogged) await sessionOf(em)?.sendActor();
  },
};

/** SQLSTATE of a write to a standby. */
const readOnlyServer = '25006';

/** Delay in milliseconds before a closed connection is released. */
const releaseDelayMs = 1_000;

/**
 * Releases a connection that was closed during a transaction. The transaction itself would release the connection only after a rollback,
 * which never completes.
 */
function releaseClient(client: pg.PoolClient): void {
  try {
    client.release(true);
  } catch {
    // The connection has already been released.
  }
}

/** ORM of the service: its connections, and entities for transactions that lock, read and write records. */
export class Orm extends MikroORM {
  #pendingModules: readonly Module[];
  #limits: { settings: string; stuckQueryGuard: StuckQueryGuard } | null = null;

  constructor(options: Options, modules: readonly Module[]) {
    // pg awaits these checks before it returns a new connection.
    const onConnect = (client: pg.PoolClient) => this.#configureClient(client, true);
    const onConnectToReplica = (client: pg.PoolClient) => this.#configureClient(client, false);
    super({
      entities: [],
      subscribers: [loggedEntities],
      ...options,
      driverOptions: { ...options.driverOptions, onConnect },
      // Replicas do not inherit the driver options of the primary.
      ...(options.replicas && {
        replicas: options.replicas.map((replica) => ({
          ...replica,
          driverOptions: { ...replica.driverOptions, onConnect: onConnectToReplica },
        })),
      }),
    });
    this.#pendingModules = modules;
  }

  /**
   * Sets the session settings of a new connection. After `applyTimeouts`, also sets the timeouts, and rejects a standby if `needsPrimary`
   * is true: during a failover, the former primary can still respond as a standby.
   */
  async #configureClient(client: pg.PoolClient, needsPrimary: boolean): Promise<void> {
    this.#limits?.stuckQueryGuard.watch(client);
    client.once('end', () => setTimeout(releaseClient, releaseDelayMs, client).unref());
    if (!this.#limits) return void (await client.query(sessionSettings));
    // The result of a text with several statements is an array.
    const results = await client.query(`${sessionSettings}; ${this.#limits.settings}; ${selectIsStandby}`);
    if (needsPrimary && [results].flat().at(-1)?.rows[0]?.isStandby)
      throw Object.assign(new Error('the server is a standby'), { code: readOnlyServer });
  }

  /** Applies the timeouts to all connections. Called before the first request. Migrations run without timeouts. */
  async applyTimeouts(timeouts: Timeouts): Promise<void> {
    const limits = { settings: timeoutSettings(timeouts), stuckQueryGuard: new StuckQueryGuard(timeouts) };
    this.#limits = limits;
    const pool: pg.Pool = await this.em.getDriver().getConnection('write').getNativeClient();
    const idleConnections = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
    for (const client of idleConnections) {
      limits.stuckQueryGuard.watch(client);
      await client.query(limits.settings);
      client.release();
    }
  }

  override async close(force?: boolean): Promise<void> {
    this.#limits?.stuckQueryGuard.stop();
    const pool: pg.Pool = await this.em.getDriver().getConnection('write').getNativeClient();
    await super.close(force);
    // The ORM ends the pool only if a transaction has run. Idle connections would keep the process running for 10 s.
    if (!pool.ending) await pool.end();
  }

  /** Maps the entities of the modules. Slow, so it runs on first use. Repeated calls have no effect. */
  discoverEntities(): void {
    const records = this.#pendingModules.flatMap(({ records }) => records);
    this.#pendingModules = [];
    if (records.length > 0) this.discoverEntity(ormEntitiesOf(records));
  }
}

/** Opens an ORM for the records of the modules. With `isLazy`, entities are mapped in the first transaction. */
export function openOrm(options: ConnectionOptions & { isLazy?: boolean }): Orm {
  const { url, replicas = [], pool = 10, prepared = true, modules = all, isLazy = false, waitSeconds: wait = 5 } = options;
  const driverOptionsFor = (url: string) => ({
    Client: prepared ? PreparedClient : UnpreparedClient,
    // The whole URL is passed, because the ORM would use only its host, port, database, user and password, and ignore `sslmode`.
    ...connectionOptions(url),
    types,
    connectionTimeoutMillis: wait * 1000,
    // Detects broken idle connections before a request uses one.
    keepAlive: true,
  });
  // `MikroORM.init` is not used, because it searches for ORM extensions, which takes as long as loading the ORM.
  const orm = new Orm(
    {
      clientUrl: url,
      pool: { min: 0, max: pool },
      ...(replicas.length
        ? {
            replicas: replicas.map((replicaUrl) => ({ clientUrl: replicaUrl, driverOptions: driverOptionsFor(replicaUrl) })),
            preferReadReplicas: true,
          }
        : {}),
      driverOptions: driverOptionsFor(url),
      discovery: { warnWhenNoEntities: false },
      // The database already exists. The ORM cannot check this if a pooler uses another name for it.
      ensureDatabase: false,
      debug: false,
    },
    modules,
  );
  if (!isLazy) orm.discoverEntities();
  return orm;
}
