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

export interface Connection {
  url: string;
  /** Streaming replicas for the reads of queries. */
  replicas?: readonly string[];
  /** Modules whose tables it knows; all by default. */
  modules?: readonly Module[];
  /** Most connections a pool. */
  pool?: number;
  /** Whether statements stay prepared at the server. */
  prepared?: boolean;
}

/** How much search forgives: a letter or two. Poolers in transaction mode set it on the connections that they open. */
export const forgiving = 'set pg_trgm.word_similarity_threshold = 0.45; set pg_trgm.strict_word_similarity_threshold = 0.26';

/** Session settings of every connection; instants are read as UTC text. */
async function prepare(client: pg.PoolClient): Promise<void> {
  await client.query(`set timezone = 'UTC'; ${forgiving}`);
}

/** Instants come as text that keeps every digit, counts as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantFromDatabase);
types.setTypeParser(pg.types.builtins.INT8, Number);

/** Before entities of an audited record are written, the transaction is told who acts. */
const auditedEntities: EventSubscriber = {
  async onFlush({ em, uow }) {
    const isAudited = uow.getChangeSets().some(({ meta }) => metaOf(meta.class as RecordClass).options?.audited);
    if (isAudited) await sessionOf(em)?.tell();
  },
};

/** The ORM of the service: its connections, and entities for rules that lock, look and change. */
export class Orm extends MikroORM {
  #unknown: readonly Module[];

  constructor(options: Options, modules: readonly Module[]) {
    super({ entities: [], subscribers: [auditedEntities], ...options });
    this.#unknown = modules;
  }

  /** Learns the entities of its modules, which takes as long as the rest of its start; done again it does nothing. */
  learn(): void {
    const records = this.#unknown.flatMap(({ records }) => records);
    this.#unknown = [];
    if (records.length > 0) this.discoverEntity(entitiesOf(records));
  }
}

/** An ORM over every record of the modules; with `lazily` it learns them when the first transaction begins. */
export function connect(options: Connection & { lazily?: boolean }): Orm {
  const { url, replicas = [], pool = 10, prepared = true, modules = all, lazily = false } = options;
  // Not by `init`, which looks for extensions of the ORM: that takes as long as loading it.
  const orm = new Orm(
    {
      clientUrl: url,
      pool: { min: 0, max: pool },
      ...(replicas.length ? { replicas: replicas.map((clientUrl) => ({ clientUrl })), preferReadReplicas: true } : {}),
      driverOptions: {
        Client: prepared ? PreparedClient : UnpreparedClient,
        types,
        connectionTimeoutMillis: 5_000,
        // Awaited by pg before the connection is handed out.
        onConnect: prepare,
      },
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
