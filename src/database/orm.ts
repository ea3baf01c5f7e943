import { type EntitySchema, type MetadataStorage, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { instantFromDatabase } from '../kernel/declare/instant.js';
import type { Module } from '../kernel/serve/module.js';
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

const discovered = new Map<string, MetadataStorage>();

/** What the ORM finds out about entities depends on nothing else: connections to further databases take it over. */
function discovering(entities: readonly EntitySchema[]) {
  const names = entities.map(({ meta }) => meta.className).join();
  const known = discovered.get(names);
  const afterDiscovered = (found: MetadataStorage) => {
    if (!known) discovered.set(names, found);
    else for (const meta of known) found.set(meta.class, meta);
  };
  return { entities: known ? [] : [...entities], discovery: { warnWhenNoEntities: false, afterDiscovered } };
}

/** The ORM over every record of every module. */
export const connect = ({ url, replicas = [], pool = 10, prepared = true, modules = all }: Connection): Promise<MikroORM> =>
  MikroORM.init({
    clientUrl: url,
    ...discovering(entitiesOf(modules.flatMap(({ records }) => records))),
    pool: { min: 0, max: pool },
    ...(replicas.length ? { replicas: replicas.map((clientUrl) => ({ clientUrl })), preferReadReplicas: true } : {}),
    driverOptions: {
      Client: prepared ? PreparedClient : UnpreparedClient,
      types,
      connectionTimeoutMillis: 5_000,
      // Awaited by pg before the connection is handed out.
      onConnect: prepare,
    },
    // It is there: that was made sure of, and poolers have names of their own for it.
    ensureDatabase: false,
    debug: false,
  });
