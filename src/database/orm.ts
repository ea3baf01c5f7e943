import type { EventSubscriber } from '@mikro-orm/core';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { instantFromDatabase } from '../kernel/declare/instant.js';
import { metaOf, type RecordClass } from '../kernel/declare/meta.js';
import type { Module } from '../kernel/serve/module.js';
import { sessionOf } from '../kernel/session.js';
import { modules as all } from '../modules/index.js';
import { entitiesOf } from './entities.js';
import { PreparedClient, UnpreparedClient } from './prepared-client.js';
import { HangingUp, settingsOf, type Timeouts } from './timeouts.js';

export interface ConnectionOptions {
  url: string;
  /** Streaming replicas for the reads of queries. */
  replicas?: readonly string[];
  /** Modules whose tables it knows; all by default. */
  modules?: readonly Module[];
  /** Most connections a pool. */
  pool?: number;
  /** Whether statements stay prepared at the server. */
  prepared?: boolean;
  /** Most seconds that one waits for a connection. */
  wait?: number;
}

/** How much search forgives: a letter or two. Poolers in transaction mode set it on the connections that they open. */
export const forgiving = 'set pg_trgm.word_similarity_threshold = 0.45; set pg_trgm.strict_word_similarity_threshold = 0.26';

/** Session settings of every connection; instants are read as UTC text. */
const settings = `set timezone = 'UTC'; ${forgiving}`;

/** Instants come as text that keeps every digit, counts as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantFromDatabase);
types.setTypeParser(pg.types.builtins.INT8, Number);

/** Before entities are written whose changes are noted, the transaction is told who acts. */
const loggedEntities: EventSubscriber = {
  async onFlush({ em, uow }) {
    const isLogged = uow.getChangeSets().some(({ meta }) => !metaOf(meta.class as RecordClass).options?.unlogged);
    if (isLogged) await sessionOf(em)?.tell();
  },
};

/** How long whoever has a connection that has ended may take to find out and give it back, in milliseconds. */
const goodbye = 1_000;

/** Gives back a connection that has ended in a transaction: whoever began that gives it back only once it is rolled back, which it never is. */
function giveBack(client: pg.PoolClient): void {
  try {
    client.release(true);
  } catch {
    // It was given back.
  }
}

/** The ORM of the service: its connections, and entities for rules that lock, look and change. */
export class Orm extends MikroORM {
  #unknown: readonly Module[];
  #bounds: { settings: string; hangingUp: HangingUp } | null = null;

  constructor(options: Options, modules: readonly Module[]) {
    // Awaited by pg before a connection is handed out.
    const onConnect = (client: pg.PoolClient) => this.#prepare(client);
    super({
      entities: [],
      subscribers: [loggedEntities],
      ...options,
      driverOptions: { ...options.driverOptions, onConnect },
      // Each has its own: they take none of those above.
      ...(options.replicas && {
        replicas: options.replicas.map((each) => ({ ...each, driverOptions: { ...each.driverOptions, onConnect } })),
      }),
    });
    this.#unknown = modules;
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    this.#bounds?.hangingUp.watch(client);
    client.once('end', () => setTimeout(giveBack, goodbye, client).unref());
    await client.query(this.#bounds ? `${settings}; ${this.#bounds.settings}` : settings);
  }

  /** From now on, statements take no longer than that: requests come. What came before, migrations and the like, takes as long as it takes. */
  async bound(timeouts: Timeouts): Promise<void> {
    const bounds = { settings: settingsOf(timeouts), hangingUp: new HangingUp(timeouts) };
    this.#bounds = bounds;
    const pool: pg.Pool = await this.em.getDriver().getConnection('write').getNativeClient();
    const open = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
    for (const client of open) {
      bounds.hangingUp.watch(client);
      await client.query(bounds.settings);
      client.release();
    }
  }

  override async close(force?: boolean): Promise<void> {
    this.#bounds?.hangingUp.stop();
    await super.close(force);
  }

  /** Learns the entities of its modules, which takes as long as the rest of its start; done again it does nothing. */
  learn(): void {
    const records = this.#unknown.flatMap(({ records }) => records);
    this.#unknown = [];
    if (records.length > 0) this.discoverEntity(entitiesOf(records));
  }
}

/** An ORM over every record of the modules; with `lazily` it learns them when the first transaction begins. */
export function openOrm(options: ConnectionOptions & { lazily?: boolean }): Orm {
  const { url, replicas = [], pool = 10, prepared = true, modules = all, lazily = false, wait = 5 } = options;
  const driving = (connectionString: string) => ({
    Client: prepared ? PreparedClient : UnpreparedClient,
    // Whole: the ORM takes host, names and password from it, and leaves out whether the line is encrypted (`sslmode`).
    connectionString,
    types,
    connectionTimeoutMillis: wait * 1000,
    // Idle connections that were cut without a word are found out before a request gets one.
    keepAlive: true,
  });
  // Not by `init`, which looks for extensions of the ORM: that takes as long as loading it.
  const orm = new Orm(
    {
      clientUrl: url,
      pool: { min: 0, max: pool },
      ...(replicas.length
        ? { replicas: replicas.map((of) => ({ clientUrl: of, driverOptions: driving(of) })), preferReadReplicas: true }
        : {}),
      driverOptions: driving(url),
      discovery: { warnWhenNoEntities: false },
      // It is there: that was made sure of, and poolers have names of their own for it.
      ensureDatabase: false,
      debug: false,
    },
    modules,
  );
  if (!lazily) orm.learn();
  return orm;
}
